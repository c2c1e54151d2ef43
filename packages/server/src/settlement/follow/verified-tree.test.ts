import { MerkleTree, RECENT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { VerifiedTree } from './verified-tree.ts'

const leaves = Array.from({ length: 20 }, (_, index) => BigInt(index + 1))

/** Returns the chain's root after each of its leaves. The ring has only the newest `held` roots. */
function rootsOf(chain: readonly bigint[], held = chain.length) {
  const tree = new MerkleTree(wasmPoseidon)
  const roots = chain.map((leaf) => tree.append(leaf))
  return {
    nextLeaf: BigInt(chain.length),
    rootAfter: (index: number) => (index < chain.length - held ? undefined : roots[index]),
  }
}

function treeOf(ours: readonly bigint[]): VerifiedTree {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(ours)
  return tree
}

it('drops only the leaves near a wrong leaf', () => {
  const tree = treeOf([...leaves.slice(0, 18), 99n, 20n])
  const kept = tree.keepConfirmed(rootsOf(leaves))
  expect(kept).toBeGreaterThan(9)
  expect(kept).toBeLessThanOrEqual(18)
  expect(tree.size).toBe(kept)
  tree.appendAll(leaves.slice(kept))
  expect(tree.check(rootsOf(leaves))).toBe(true)
})

it('keeps all leaves if only the chain’s newest leaves are missing', () => {
  const tree = treeOf(leaves.slice(0, 17))
  expect(tree.keepConfirmed(rootsOf(leaves))).toBe(17)
})

it('drops all leaves if a wrong leaf is older than all roots in the ring', () => {
  const tree = treeOf([...leaves.slice(0, 3), 99n, ...leaves.slice(4)])
  expect(tree.keepConfirmed(rootsOf(leaves, 8))).toBe(0)
  expect(tree.size).toBe(0)
})

it('drops the leaves that the chain does not have', () => {
  const tree = treeOf([...leaves, 21n, 22n])
  const kept = tree.keepConfirmed(rootsOf(leaves))
  expect(kept).toBeGreaterThan(10)
  expect(kept).toBeLessThanOrEqual(20)
})

it('locates the remaining leaves even if the chain has further leaves', () => {
  const tree = treeOf(leaves.slice(0, 17))
  tree.keepConfirmed(rootsOf(leaves))
  expect([tree.isVerified, tree.isWhole]).toEqual([true, false])
  expect(tree.locate(16)?.root).toEqual({ kind: 'recent', index: 16 })
  tree.appendAll(leaves.slice(17))
  expect(tree.check(rootsOf(leaves))).toBe(true)
  expect(tree.isWhole).toBe(true)
})

it('keeps leaves verified if later leaves are dropped', () => {
  const tree = treeOf(leaves)
  expect(tree.check(rootsOf(leaves))).toBe(true)
  tree.truncate(17)
  expect([tree.isVerified, tree.isWhole]).toEqual([true, false])
  expect(tree.locate(16)?.root).toEqual({ kind: 'recent', index: 16 })
  expect(tree.locate(17)).toBeUndefined()
})

it('does not locate unchecked leaves, even after some are dropped from the end', () => {
  const tree = treeOf(leaves.slice(0, 17))
  tree.check(rootsOf(leaves))
  tree.appendAll(leaves.slice(17))
  tree.truncate(18)
  expect(tree.isVerified).toBe(false)
  expect(tree.locate(0)).toBeUndefined()
})

it('is not refuted by wrong roots for less than two minutes', () => {
  const tree = treeOf(leaves)
  for (let round = 0; round < 9; round += 1) {
    for (let nowMs = 0; nowMs < 120_000; nowMs += 10_000) tree.doubt(round * 300_000 + nowMs)
    expect(tree.isRefuted).toBe(false)
    expect(tree.check(rootsOf(leaves))).toBe(true)
  }
})

it('is not refuted by two doubts that are far apart', () => {
  const tree = treeOf(leaves)
  tree.doubt(0)
  tree.doubt(9_000_000)
  expect([tree.isRefuted, tree.size]).toEqual([false, 20])
})

it('counts a jump of the clock like a pause between two rounds', () => {
  for (const leapMs of [3_456_000_000, -3_456_000_000]) {
    const tree = treeOf(leaves)
    for (const nowMs of [0, 15_000, 30_000 + leapMs, 45_000 + leapMs]) tree.doubt(nowMs)
    expect(tree.isRefuted).toBe(false)
    // Doubts that continue after a jump of the clock still count.
    for (let nowMs = 60_000; nowMs <= 180_000; nowMs += 15_000) tree.doubt(nowMs + leapMs)
    expect(tree.isRefuted).toBe(true)
  }
})

it('does not count a long silence between two doubts in full', () => {
  const tree = treeOf(leaves)
  for (const nowMs of [0, 10_000, 9_000_000]) tree.doubt(nowMs)
  expect(tree.isRefuted).toBe(false)
})

it('stays refuted until the chain confirms a root', () => {
  const tree = treeOf(leaves)
  for (let round = 0; round < 3; round += 1) tree.doubt(round * 60_000)
  expect([tree.isRefuted, tree.isVerified]).toEqual([true, false])
  tree.appendAll([])
  expect(tree.isRefuted).toBe(true)
  expect(tree.check(rootsOf(leaves))).toBe(true)
  expect(tree.isRefuted).toBe(false)
})

it('keeps its old leaves if the chain does not confirm new ones', () => {
  const tree = treeOf(leaves.slice(0, 17))
  expect(tree.check(rootsOf(leaves.slice(0, 17)))).toBe(true)
  expect(tree.tryAppend([18n, 99n, 20n], rootsOf(leaves))).toBe(false)
  expect([tree.isVerified, tree.isWhole, tree.size]).toEqual([true, false, 17])
  expect(tree.tryAppend(leaves.slice(17), rootsOf(leaves))).toBe(true)
  expect([tree.isWhole, tree.root]).toEqual([true, treeOf(leaves).root])
})

it('keeps leaves that are older than every root in the ring, but becomes unverified', () => {
  const tree = treeOf(leaves)
  tree.check(rootsOf(leaves))
  const far = { nextLeaf: BigInt(leaves.length + RECENT), rootAfter: () => undefined }
  expect(tree.keepConfirmed(far)).toBeUndefined()
  expect([tree.size, tree.isVerified]).toEqual([leaves.length, false])
})

it('finds a leaf at a given index or later, and only at the place of a leaf', () => {
  // The bytes of the first two leaves also contain the bytes of the third, but not at the place of a leaf.
  const third = (7n << 64n) | 9n
  const tree = treeOf([9n << 192n, 7n, third])
  expect([tree.has(third, 0), tree.has(third, 2), tree.has(third, 3)]).toEqual([true, true, false])
  tree.truncate(2)
  expect(tree.has(third, 0)).toBe(false)
  expect([tree.has(7n, 1), tree.has(7n, 9)]).toEqual([true, false])
})
