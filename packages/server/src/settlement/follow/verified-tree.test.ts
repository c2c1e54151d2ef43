import { MerkleTree, RECENT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { wasmPoseidon } from '@sotto/poseidon'
import { VerifiedTree } from './verified-tree.ts'

const leaves = Array.from({ length: 20 }, (_, index) => BigInt(index + 1))

/** The chain's roots after each of its leaves; `held` of them are still in the ring. */
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

it('a wrong leaf costs nothing but what stands near it', () => {
  const tree = treeOf([...leaves.slice(0, 18), 99n, 20n])
  const kept = tree.keepConfirmed(rootsOf(leaves))
  expect(kept).toBeGreaterThan(9)
  expect(kept).toBeLessThanOrEqual(18)
  expect(tree.size).toBe(kept)
  tree.appendAll(leaves.slice(kept))
  expect(tree.check(rootsOf(leaves))).toBe(true)
})

it('leaves that miss only the newest ones are all kept', () => {
  const tree = treeOf(leaves.slice(0, 17))
  expect(tree.keepConfirmed(rootsOf(leaves))).toBe(17)
})

it('nothing is kept after a wrong leaf that is older than the roots the chain holds', () => {
  const tree = treeOf([...leaves.slice(0, 3), 99n, ...leaves.slice(4)])
  expect(tree.keepConfirmed(rootsOf(leaves, 8))).toBe(0)
  expect(tree.size).toBe(0)
})

it('more leaves than the chain has are cut back to what it confirms', () => {
  const tree = treeOf([...leaves, 21n, 22n])
  const kept = tree.keepConfirmed(rootsOf(leaves))
  expect(kept).toBeGreaterThan(10)
  expect(kept).toBeLessThanOrEqual(20)
})

it('the leaves that are left are relied on, though they are not all there are', () => {
  const tree = treeOf(leaves.slice(0, 17))
  tree.keepConfirmed(rootsOf(leaves))
  expect([tree.isVerified, tree.isWhole]).toEqual([true, false])
  expect(tree.locate(16)?.root).toEqual({ kind: 'recent', index: 16 })
  tree.appendAll(leaves.slice(17))
  expect(tree.check(rootsOf(leaves))).toBe(true)
  expect(tree.isWhole).toBe(true)
})

it('leaves that another worker recorded first go, and what was verified before them still is', () => {
  const tree = treeOf(leaves)
  expect(tree.check(rootsOf(leaves))).toBe(true)
  tree.truncate(17)
  expect([tree.isVerified, tree.isWhole]).toEqual([true, false])
  expect(tree.locate(16)?.root).toEqual({ kind: 'recent', index: 16 })
  expect(tree.locate(17)).toBeUndefined()
})

it('unchecked leaves cannot be proved, whatever is taken from their end', () => {
  const tree = treeOf(leaves.slice(0, 17))
  tree.check(rootsOf(leaves))
  tree.appendAll(leaves.slice(17))
  tree.truncate(18)
  expect(tree.isVerified).toBe(false)
  expect(tree.locate(0)).toBeUndefined()
})

it('a root that one node could not show for less than two minutes refutes nothing', () => {
  const tree = treeOf(leaves)
  for (let round = 0; round < 9; round += 1) {
    for (let nowMs = 0; nowMs < 120_000; nowMs += 10_000) tree.doubt(round * 300_000 + nowMs)
    expect(tree.isRefuted).toBe(false)
    expect(tree.check(rootsOf(leaves))).toBe(true)
  }
})

it('two doubts that lie far apart refute nothing either', () => {
  const tree = treeOf(leaves)
  tree.doubt(0)
  tree.doubt(9_000_000)
  expect([tree.isRefuted, tree.size]).toEqual([false, 20])
})

it('a clock that leaps counts for no more than a pause between two rounds', () => {
  for (const leapMs of [3_456_000_000, -3_456_000_000]) {
    const tree = treeOf(leaves)
    for (const nowMs of [0, 15_000, 30_000 + leapMs, 45_000 + leapMs]) tree.doubt(nowMs)
    expect(tree.isRefuted).toBe(false)
    // The jump doesn't hide a doubt that persists.
    for (let nowMs = 60_000; nowMs <= 180_000; nowMs += 15_000) tree.doubt(nowMs + leapMs)
    expect(tree.isRefuted).toBe(true)
  }
})

it('doubts with a long silence between them, and nothing seen meanwhile, do not last for all of it', () => {
  const tree = treeOf(leaves)
  for (const nowMs of [0, 10_000, 9_000_000]) tree.doubt(nowMs)
  expect(tree.isRefuted).toBe(false)
})

it('a refuted tree stays so until the chain confirms a root', () => {
  const tree = treeOf(leaves)
  for (let round = 0; round < 3; round += 1) tree.doubt(round * 60_000)
  expect([tree.isRefuted, tree.isVerified]).toEqual([true, false])
  tree.appendAll([])
  expect(tree.isRefuted).toBe(true)
  expect(tree.check(rootsOf(leaves))).toBe(true)
  expect(tree.isRefuted).toBe(false)
})

it('leaves that the chain does not confirm leave a verified tree as it was', () => {
  const tree = treeOf(leaves.slice(0, 17))
  expect(tree.check(rootsOf(leaves.slice(0, 17)))).toBe(true)
  expect(tree.tryAppend([18n, 99n, 20n], rootsOf(leaves))).toBe(false)
  expect([tree.isVerified, tree.isWhole, tree.size]).toEqual([true, false, 17])
  expect(tree.tryAppend(leaves.slice(17), rootsOf(leaves))).toBe(true)
  expect([tree.isWhole, tree.root]).toEqual([true, treeOf(leaves).root])
})

it('leaves older than every root that the chain holds stay, but nothing is proved with them', () => {
  const tree = treeOf(leaves)
  tree.check(rootsOf(leaves))
  const far = { nextLeaf: BigInt(leaves.length + RECENT), rootAfter: () => undefined }
  expect(tree.keepConfirmed(far)).toBeUndefined()
  expect([tree.size, tree.isVerified]).toEqual([leaves.length, false])
})
