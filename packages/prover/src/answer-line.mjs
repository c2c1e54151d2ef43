import { encodeProof } from './encode-proof.mjs'
import { ProvingError } from './proving-error.mjs'
import { findInputFault } from './settle-input.mjs'

const refuse = (id, code, message) => ({ id, ok: false, code, message })

/**
 * The answer to one line of input. This function never throws, so a bad request can't affect the next one.
 *
 * @param {string} line
 * @param {(input: object) => Promise<{ proof: object, publicSignals: string[] }>} prove
 */
export async function answerLine(line, prove) {
  const request = parseRequest(line)
  if (request === undefined) {
    return refuse(null, 'REQUEST_MALFORMED', 'A request is a JSON object with a string id.')
  }
  const { id, input } = request
  const fault = findInputFault(input)
  if (fault !== undefined) {
    return refuse(id, 'INPUT_INVALID', `Not a decimal field element, or not expected: ${fault}.`)
  }
  try {
    const start = performance.now()
    const { proof, publicSignals } = await prove(input)
    const ms = Math.round(performance.now() - start)
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
