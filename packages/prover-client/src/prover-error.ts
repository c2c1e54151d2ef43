/**
 * The reason why no proof was made.
 *
 * PROVER_BUSY: the queue is full; try later. PROVER_STOPPED: `stop()` was called. PROVER_START_FAILED: the executable
 * can't be started or refuses its artefacts; the message comes from the executable. PROVER_CRASHED: two processes
 * crashed while proving this request. INPUT_INVALID: a number is outside the circuit's field or a path has the wrong
 * length. STATEMENT_FALSE: the witness breaks a rule of the circuit, so a retry would fail too. PROOF_FAILED: the
 * prover failed, or its answer isn't a proof of this witness.
 */
export type ProverErrorCode =
  | 'PROVER_BUSY'
  | 'PROVER_STOPPED'
  | 'PROVER_START_FAILED'
  | 'PROVER_CRASHED'
  | 'INPUT_INVALID'
  | 'STATEMENT_FALSE'
  | 'PROOF_FAILED'

/** An error whose message never contains a value of a witness. */
export class ProverError extends Error {
  readonly code: ProverErrorCode

  constructor(code: ProverErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ProverError'
    this.code = code
  }
}

export const proverStopped = (): ProverError =>
  new ProverError('PROVER_STOPPED', 'The prover has been stopped.')
