import { MerkleTree } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { preloadTree } from './preload-tree.ts'

it('the preloaded tree equals one whose leaves were appended one by one, and accepts further leaves', async () => {
  const leaves = Array.from({ length: 9_000 }, (_, index) => BigInt(index) * 7_919n + 1n)
  const expected = new MerkleTree(wasmPoseidon)
  expected.appendAll(leaves)
  const tree = await preloadTree({ readLeaves: async () => leaves })
  expect([tree.size, tree.root]).toEqual([9_000, expected.root])
  tree.appendAll([5n])
  expected.appendAll([5n])
  expect(tree.root).toBe(expected.root)
  expect(tree.path(8_999)).toEqual(expected.path(8_999))
})
