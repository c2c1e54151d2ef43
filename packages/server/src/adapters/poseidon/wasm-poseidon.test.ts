import { readFile } from 'node:fs/promises'
import fc from 'fast-check'
import { FIELD_MODULUS, nullifierOf } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { poseidonLite } from './poseidon-lite.ts'
import { wasmPoseidon } from './wasm-poseidon.ts'

const element = fc.oneof(
  fc.bigInt({ min: 0n, max: FIELD_MODULUS - 1n }),
  fc.constantFrom(0n, 1n, FIELD_MODULUS - 1n, (1n << 253n) - 1n),
)

const toBytes = (number: bigint) =>
  Buffer.from(number.toString(16).padStart(64, '0'), 'hex').reverse()

describe('Poseidon in WebAssembly', () => {
  it('agrees with plain JavaScript on one to six inputs', () => {
    const inputs = fc.array(element, { minLength: 1, maxLength: 6 })
    fc.assert(
      fc.property(inputs, (values) => {
        expect(wasmPoseidon(values)).toBe(poseidonLite(values))
      }),
      { numRuns: 300 },
    )
  })

  it('hashes many pairs as it hashes each', () => {
    const numbers = Array.from({ length: 2 * 1_500 }, (_, index) => BigInt(index) ** 20n)
    const pairs = numbers.map((number) => number % FIELD_MODULUS)
    const hashes = wasmPoseidon.hashPairs!(new Uint8Array(Buffer.concat(pairs.map(toBytes))))
    expect(hashes).toHaveLength(32 * 1_500)
    for (const at of [0, 1, 1_023, 1_024, 1_499]) {
      const hash = Buffer.from(hashes.subarray(32 * at, 32 * at + 32))
      expect(hash).toEqual(toBytes(poseidonLite(pairs.slice(2 * at, 2 * at + 2))))
    }
  })

  it('refuses what is no element of the field, and too many or no inputs', () => {
    for (const bad of [-1n, FIELD_MODULUS, 1n << 256n]) {
      expect(() => wasmPoseidon([1n, bad])).toThrow(RangeError)
    }
    expect(() => wasmPoseidon([])).toThrow(RangeError)
    expect(() => wasmPoseidon([1n, 2n, 3n, 4n, 5n, 6n, 7n])).toThrow(RangeError)
  })

  it('gives the roots, nullifiers and leaves that the circuit was tested with', async () => {
    const file = new URL('../../../../../vectors/circuit.json', import.meta.url)
    const vectors = JSON.parse(await readFile(file, 'utf8')) as {
      cases: { input: Record<string, string> & { path: string[] } }[]
    }
    for (const { input } of vectors.cases) {
      const number = (name: string) => BigInt(input[name] as string)
      const inner = wasmPoseidon([number('nk'), number('recipientHi'), number('recipientLo')])
      const sender = wasmPoseidon([number('senderHi'), number('senderLo')])
      const paid = ['amount', 'fee', 'expiry'].map(number)
      let node = wasmPoseidon([number('assetHash'), ...paid, sender, inner])
      input.path.forEach((sibling, level) => {
        const isRight = (number('leafIndex') >> BigInt(level)) & 1n
        const other = BigInt(sibling)
        node = wasmPoseidon(isRight === 1n ? [other, node] : [node, other])
      })
      expect(node).toBe(number('root'))
      expect(nullifierOf(wasmPoseidon, number('nk'), number('leafIndex'))).toBe(number('nullifier'))
    }
  })
})
