import { wasmPoseidon } from '@sotto/poseidon'
import { MerkleTree, rootOfPath } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { EarlierTree } from './earlier-tree.ts'

const leaves = Array.from({ length: 90 }, (_, index) => BigInt(index + 1))

function treeOf(size: number): MerkleTree {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(leaves.slice(0, size))
  return tree
}

it('has the root and the paths that the tree had at any earlier size', () => {
  const grown = treeOf(leaves.length)
  for (const size of [1, 2, 4, 5, 16, 17, 63, 64, 65, 89, 90]) {
    const then = treeOf(size)
    const earlier = new EarlierTree(wasmPoseidon, grown, size)
    expect(earlier.root).toBe(then.root)
    for (const leaf of new Set([0, Math.floor(size / 2), size - 1])) {
      expect(earlier.path(leaf)).toEqual(then.path(leaf))
      const place = rootOfPath(wasmPoseidon, leaves[leaf]!, BigInt(leaf), earlier.path(leaf))
      expect(place).toBe(then.root)
    }
  }
})

it("refuses later leaves, and a size greater than the tree's", () => {
  const grown = treeOf(20)
  expect(() => new EarlierTree(wasmPoseidon, grown, 21)).toThrow(RangeError)
  expect(() => new EarlierTree(wasmPoseidon, grown, 7).path(7)).toThrow(RangeError)
})
