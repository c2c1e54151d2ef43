import { FIELD_MODULUS, fieldToBytes, MerkleTree } from '@sotto/protocol'
import { describe, expect, it } from 'vitest'
import { poseidonLite } from './poseidon-lite.ts'
import { buildTree, wasmPoseidon } from '../index.ts'

const leafAt = (index: number) => (BigInt(index) + 3n) ** 60n % FIELD_MODULUS
const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => leafAt(index))
const bytesOf = (leaves: bigint[]) =>
  new Uint8Array(Buffer.concat(leaves.map((leaf) => fieldToBytes(leaf).reverse())))

describe('a tree that two threads may build', () => {
  it.each([4_096, 4_097, 8_191, 12_301])(
    'with %i leaves equals the tree built by one thread',
    async (count) => {
      const leaves = leavesOf(count)
      const alone = new MerkleTree(wasmPoseidon)
      alone.appendAll(leaves)
      const built = await buildTree(bytesOf(leaves), 2)
      expect(built.size).toBe(count)
      expect(built.root).toBe(alone.root)
      for (const index of [0, 4_095, count - 1])
        expect(built.path(index)).toEqual(alone.path(index))
      expect(built.append(7n)).toBe(alone.append(7n))
      built.truncate(4_000)
      alone.truncate(4_000)
      expect(built.root).toBe(alone.root)
    },
  )

  it('is refused for a leaf that is not an element of the field', async () => {
    const leaves = bytesOf(leavesOf(9_000))
    leaves.fill(255, 32 * 8_999)
    await expect(buildTree(leaves, 2)).rejects.toThrow('not an element of the field')
  })

  it('is empty if there are no leaves', async () => {
    expect((await buildTree(new Uint8Array(0), 2)).root).toBe(new MerkleTree(wasmPoseidon).root)
  })
})

it('has the same root as a tree in plain JavaScript', () => {
  const [plain, wasm] = [poseidonLite, wasmPoseidon].map((hash) => new MerkleTree(hash))
  plain!.appendAll(leavesOf(37))
  wasm!.appendAll(leavesOf(37))
  expect(plain!.root).toBe(wasm!.root)
  expect(() => wasm!.append(FIELD_MODULUS)).toThrow(RangeError)
  expect(wasm!.size).toBe(37)
})
