import type { Answer } from './prover-process.ts'
import type { Proof } from './proof.ts'
import { ProverError } from './prover-error.ts'
import { publicInputsOf, type SettleWitness } from './settle-witness.ts'

/** A request that isn't answered yet. If the process that works on it ends, another process may prove it again. */
export interface ProofJob {
  readonly id: string
  readonly witness: SettleWitness
  /** The witness in the format in which the process receives it. */
  readonly input: Record<string, string | string[]>
  /** Number of processes that crashed while proving this request. */
  crashes: number
  readonly resolve: (proof: Proof) => void
  readonly reject: (error: ProverError) => void
}

const PROOF_BYTES = 256

/** Resolves or rejects a job according to the process's answer. */
export function settleJob(job: ProofJob, answer: Answer): void {
  if (answer.ok) {
    const proof = readProof(job.witness, answer)
    if (proof === undefined) {
      job.reject(
        new ProverError('PROOF_FAILED', 'The prover answered with a proof of another statement.'),
      )
    } else {
      job.resolve(proof)
    }
    return
  }
  const isKnown = answer.code === 'INPUT_INVALID' || answer.code === 'STATEMENT_FALSE'
  const code = isKnown ? answer.code : 'PROOF_FAILED'
  job.reject(new ProverError(code, answer.message ?? 'The prover gave no reason.'))
}

/** The proof in an answer; undefined if its public inputs aren't exactly those of this witness. */
function readProof(witness: SettleWitness, { proof, publicInputs, ms }: Answer): Proof | undefined {
  const expected = publicInputsOf(witness)
  const bytes = Buffer.from(proof ?? '', 'base64')
  const isSame =
    publicInputs?.length === expected.length &&
    expected.every((value, at) => publicInputs[at] === value.toString())
  if (!isSame || bytes.length !== PROOF_BYTES) return undefined
  return { bytes: new Uint8Array(bytes), publicInputs: expected, ms: ms ?? 0 }
}
