import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptySubtrees,
  FIELD_MODULUS,
  MerkleTree,
  rootOfPath,
  TREE_LEVELS,
  type Poseidon,
} from '../index.ts'
import { poseidon as real } from './poseidon-of-tests.ts'

/** A hash that is much faster than Poseidon but also depends on the order of its inputs. */
const quick: Poseidon = (inputs) =>
  inputs.reduce((sum, input, at) => (sum * 31n + input * BigInt(at + 7) + 1n) % FIELD_MODULUS, 5n)

/** The root computed directly from the definition: groups of four, level by level. */
function plainRoot(poseidon: Poseidon, leaves: readonly bigint[]): bigint {
  const empty = emptySubtrees(poseidon)
  let nodes = [...leaves]
  for (let level = 0; level < TREE_LEVELS; level += 1) {
    const parents: bigint[] = []
    for (let at = 0; at < nodes.length; at += 4) {
      parents.push(poseidon([0, 1, 2, 3].map((child) => nodes[at + child] ?? empty[level]!)))
    }
    nodes = parents
  }
  return nodes[0] ?? empty[TREE_LEVELS]!
}

const leavesOf = (count: number) => Array.from({ length: count }, (_, index) => BigInt(index + 1))

it('computes the same root from all leaves and from the 39 siblings of one leaf', () => {
  const tree = new MerkleTree(real)
  const leaves = leavesOf(9)
  tree.appendAll(leaves)
  expect(tree.root).toBe(plainRoot(real, leaves))
  expect(tree.path(8)).toHaveLength(39)
  expect(rootOfPath(real, 9n, 8n, tree.path(8))).toBe(tree.root)
})

it('computes no root if the leaf index is outside the tree', () => {
  const tree = new MerkleTree(quick)
  tree.append(1n)
  for (const index of [-1n, 4n ** 13n]) {
    expect(() => rootOfPath(quick, 1n, index, tree.path(0))).toThrow(RangeError)
  }
})

it('lists the nearest sibling of a level first, and then the other two from left to right', () => {
  const tree = new MerkleTree(quick)
  tree.appendAll(leavesOf(4))
  const siblings = [0, 1, 2, 3].map((index) => tree.path(index).slice(0, 3))
  expect(siblings).toEqual([
    [2n, 3n, 4n],
    [1n, 3n, 4n],
    [4n, 1n, 2n],
    [3n, 1n, 2n],
  ])
})

describe('after any sequence of appends and drops', () => {
  const steps = fc.array(
    fc.oneof(
      fc.record({ append: fc.array(fc.bigInt(1n, 99n), { maxLength: 40 }) }),
      fc.record({ keep: fc.integer({ min: 0, max: 60 }) }),
    ),
    { maxLength: 8 },
  )

  it('the tree equals a tree of the remaining leaves', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (drawn, pick) => {
        const tree = new MerkleTree(quick)
        let leaves: bigint[] = []
        for (const step of drawn) {
          if ('append' in step) {
            leaves = [...leaves, ...step.append]
            tree.appendAll(step.append)
          } else {
            leaves = leaves.slice(0, step.keep)
            tree.truncate(step.keep)
          }
          expect(tree.size).toBe(leaves.length)
          expect(tree.root).toBe(plainRoot(quick, leaves))
        }
        if (leaves.length === 0) return
        const index = pick % leaves.length
        const path = tree.path(index)
        expect(rootOfPath(quick, leaves[index]!, BigInt(index), path)).toBe(tree.root)
      }),
      { numRuns: 80 },
    )
  })

  it('a tree made from its two lowest levels is the same', () => {
    const leaves = leavesOf(70)
    const bytes = (nodes: readonly bigint[]) =>
      new Uint8Array(
        nodes.flatMap((node) => [
          ...Buffer.from(node.toString(16).padStart(64, '0'), 'hex').reverse(),
        ]),
      )
    const tree = new MerkleTree(quick)
    tree.appendAll(leaves)
    const above = Array.from({ length: 18 }, (_, at) =>
      quick([0, 1, 2, 3].map((child) => leaves[4 * at + child] ?? 0n)),
    )
    const built = MerkleTree.fromLevels(quick, [bytes(leaves), bytes(above)])
    expect(built.root).toBe(tree.root)
    expect(built.path(69)).toEqual(tree.path(69))
  })

  it('a tree made from its complete nodes is the same, and accepts further leaves', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 90 }),
        fc.integer({ min: 0, max: 20 }),
        (size, more) => {
          const tree = new MerkleTree(quick)
          tree.appendAll(leavesOf(size))
          const levels = [0, 1, 2, 3].map((level) =>
            Uint8Array.from(tree.nodesOf(level, 0, Math.floor(size / 4 ** level))),
          )
          const built = MerkleTree.fromCompleteNodes(quick, size, levels)
          for (const one of [tree, built]) one.appendAll(leavesOf(more))
          expect([built.size, built.root]).toEqual([tree.size, tree.root])
          if (size > 0) expect(built.path(size - 1)).toEqual(tree.path(size - 1))
          built.truncate(Math.floor(size / 2))
          tree.truncate(Math.floor(size / 2))
          expect(built.root).toBe(tree.root)
        },
      ),
    )
  })
})

it('refuses a path to a missing leaf, and a leaf outside the field', () => {
  const tree = new MerkleTree(quick)
  tree.append(5n)
  expect(() => tree.path(1)).toThrow(RangeError)
  expect(() => tree.append(FIELD_MODULUS)).toThrow(RangeError)
  expect(() => tree.append(-1n)).toThrow(RangeError)
  expect(tree.size).toBe(1)
})
