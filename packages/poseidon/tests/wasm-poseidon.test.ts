import fc from 'fast-check'
import { FIELD_MODULUS } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { poseidonLite } from './poseidon-lite.ts'
import { wasmPoseidon } from '../index.ts'

const element = fc.oneof(
  fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }),
  fc.constantFrom(0n, 1n, FIELD_MODULUS - 1n, (1n << 253n) - 1n),
)

const toBytes = (number: bigint) =>
  Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()

describe('Poseidon in WebAssembly', () => {
  it('agrees with plain JavaScript on one to seven inputs', () => {
    const inputs = fc.array(element, { minLength: 1, maxLength: 7 })
    fc.assert(
      fc.property(inputs, (values) => {
        expect(wasmPoseidon(values)).toBe(poseidonLite(values))
      }),
      { numRuns: 300 },
    )
  })

  it('hashes many groups of four to the same results as single groups', () => {
    const numbers = Array.from({ length: 4 * 1_500 }, (_, index) => BigInt(index) ** 20n)
    const quads = numbers.map((number) => number % FIELD_MODULUS)
    const hashes = wasmPoseidon.hashQuads!(new Uint8Array(Buffer.concat(quads.map(toBytes))))
    expect(hashes).toHaveLength(32 * 1_500)
    for (const at of [0, 1, 511, 512, 1_499]) {
      const hash = Buffer.from(hashes.subarray(32 * at, 32 * at + 32))
      expect(hash).toEqual(toBytes(poseidonLite(quads.slice(4 * at, 4 * at + 4))))
    }
  })

  it('refuses numbers outside the field, too many inputs and no inputs', () => {
    for (const bad of [-1n, FIELD_MODULUS, 1n << 256n]) {
      expect(() => wasmPoseidon([1n, bad])).toThrow(RangeError)
    }
    expect(() => wasmPoseidon([])).toThrow(RangeError)
    expect(() => wasmPoseidon([1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n])).toThrow(RangeError)
  })
})
