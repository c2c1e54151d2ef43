import type { Poseidon } from '@sotto/protocol'
import { wasmPoseidon } from '@sotto/poseidon'

/**
 * A Poseidon that computes each hash once, for tests that build the same trees repeatedly. It keeps every hash in
 * memory, so each test file creates its own instance.
 */
export function rememberingPoseidon(): Poseidon {
  const hashes = new Map<string, bigint>()
  const quads = new Map<string, Uint8Array>()
  const hash = (inputs: readonly bigint[]): bigint => {
    const key = inputs.map((input) => input.toString(36)).join()
    const known = hashes.get(key) ?? wasmPoseidon(inputs)
    hashes.set(key, known)
    return known
  }
  const { hashQuads: compute } = wasmPoseidon
  if (compute === undefined) return hash
  const hashQuads = (nodes: Uint8Array): Uint8Array => {
    const key = Buffer.from(nodes).toString('latin1')
    const known = quads.get(key) ?? compute(nodes)
    quads.set(key, known)
    // Returns a copy, because the caller may change the bytes.
    return known.slice()
  }
  return Object.assign(hash, { hashQuads })
}
