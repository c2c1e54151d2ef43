import { poseidon2 } from 'poseidon-lite/poseidon2'
import { expect, it } from 'vitest'
import { MerkleTree, rootOfPath, type Poseidon } from '../index.ts'

const poseidon: Poseidon = (inputs) => poseidon2([...inputs])

it('every path leads to the root, before and after leaves are dropped', () => {
  const tree = new MerkleTree(poseidon)
  const roots = [tree.root]
  for (let leaf = 1n; leaf <= 9n; leaf += 1n) roots.push(tree.append(leaf))
  for (let index = 0; index < 9; index += 1) {
    const root = rootOfPath(poseidon, BigInt(index + 1), BigInt(index), tree.path(index))
    expect(root).toBe(tree.root)
  }
  tree.truncate(4)
  expect(tree.root).toBe(roots[4])
  expect(tree.append(5n)).toBe(roots[5])
  expect(() => tree.path(5)).toThrow(RangeError)
})

it('leaves appended together give the same tree as one by one', () => {
  const oneByOne = new MerkleTree(poseidon)
  const together = new MerkleTree(poseidon)
  const leaves = Array.from({ length: 11 }, (_, index) => BigInt(index + 1))
  for (const leaf of leaves) oneByOne.append(leaf)
  together.appendAll(leaves.slice(0, 3))
  together.appendAll([])
  together.appendAll(leaves.slice(3))
  expect(together.root).toBe(oneByOne.root)
  expect(together.path(4)).toEqual(oneByOne.path(4))
  together.truncate(0)
  expect(together.root).toBe(new MerkleTree(poseidon).root)
})
