import { encodeProof } from './encode-proof.mjs'
import { ProvingError } from './proving-error.mjs'
import { findInputFault } from './settle-input.mjs'

const refuse = (id, code, message) => ({ id, ok: false, code, message })

/**
 * Returns the function that answers one line of input. That function never throws, so a bad request can't affect the
 * next request.
 *
 * @param {(input: object) => Promise<{ proof: object, publicSignals: string[] }>} prove
 * @returns {(line: string) => Promise<object>}
 */
export function answerWith(prove) {
  /** The time at which the last proof was ready. */
  let readyMs = 0

  /**
   * The time in milliseconds to report for a proof that is ready now. This time begins at the proof's start, or when
   * the previous proof was ready if that is later. So the sum over all proofs is the time in which the prover worked.
   */
  function takenSince(startedMs) {
    const fromMs = Math.max(startedMs, readyMs)
    readyMs = performance.now()
    return Math.round(readyMs - fromMs)
  }
  return (line) => answerLine(line, prove, takenSince)
}

async function answerLine(line, prove, takenSince) {
  const request = parseRequest(line)
  if (request === undefined) {
    return refuse(null, 'REQUEST_MALFORMED', 'A request is a JSON object with a string id.')
  }
  const { id, input } = request
  const fault = findInputFault(input)
  if (fault !== undefined) {
    return refuse(
      id,
      'INPUT_INVALID',
      `Missing, unknown, or not a decimal field element: ${fault}.`,
    )
  }
  try {
    const start = performance.now()
    const { proof, publicSignals } = await prove(input)
    const ms = takenSince(start)
    const encoded = encodeProof(proof).toString('base64')
    return { id, ok: true, proof: encoded, publicInputs: publicSignals, ms }
  } catch (error) {
    if (error instanceof ProvingError) return refuse(id, error.code, error.message)
    // A library's message may quote the input.
    return refuse(id, 'PROVER_FAILED', 'The prover failed for an internal reason.')
  }
}

function parseRequest(line) {
  try {
    const request = JSON.parse(line)
    return typeof request?.id === 'string' ? request : undefined
  } catch {
    return undefined
  }
}
