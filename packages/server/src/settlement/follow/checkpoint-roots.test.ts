import { CHECKPOINTS, MerkleTree, RECENT, rootOfPath } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { rememberingPoseidon } from '../../../../../testing/tree/remembering-poseidon.ts'
import { CheckpointRoots } from './checkpoint-roots.ts'
import { VerifiedTree } from './verified-tree.ts'

const remembered = rememberingPoseidon()
const HOUR = 500_000
/**
 * Number of leaves at the end of the last full hour, and number of leaves now. Since that hour, more leaves were
 * appended than the ring can hold. So the ring no longer has the hour's last root.
 */
const [FULL, NOW] = [200, 200 + RECENT + 100]
const leaves = Array.from({ length: NOW }, (_, index) => BigInt(index + 1))

/** Creates `CheckpointRoots` on a chain whose checkpoints are these roots, by hour. */
function rootsOf(hours: ReadonlyMap<number, bigint>, isVerified = true) {
  const tree = new VerifiedTree(remembered)
  tree.appendAll(leaves)
  const { root } = tree
  if (isVerified) tree.check({ nextLeaf: BigInt(NOW), rootAfter: () => root })
  const reads: bigint[] = []
  let hashes = 0
  const poseidon = (inputs: readonly bigint[]) => {
    hashes += 1
    return remembered(inputs)
  }
  const cursor = { nextLeaf: 0n, slot: 70n, unixSeconds: BigInt(HOUR * 3_600 + 1_800) }
  const chain = {
    readTree: async (slotMin: bigint) => {
      reads.push(slotMin)
      return { checkpoint: (hour: number) => hours.get(hour) ?? 0n } as never
    },
  }
  const store = { readCursor: async () => cursor } as never
  const clock = { nowMs: () => 0 } as never
  const checkpoints = new CheckpointRoots({ chain, store, clock, poseidon, tree })
  const hashesOf = async (leafIndex: number) => {
    hashes = 0
    await checkpoints.locate(leafIndex)
    return hashes
  }
  return { checkpoints, cursor, hashesOf, reads, tree }
}

function rootAt(size: number): bigint {
  const tree = new MerkleTree(remembered)
  tree.appendAll(leaves.slice(0, size))
  return tree.root
}

it("proves older notes under an hour's root after a flood of leaves", async () => {
  const { checkpoints, reads } = rootsOf(
    new Map([
      [HOUR - 1, rootAt(FULL)],
      // The current hour isn't over, so its root still changes.
      [HOUR, rootAt(NOW)],
      [HOUR - 2, rootAt(50)],
    ]),
  )
  const place = await checkpoints.locate(120)
  expect(place?.root).toEqual({ kind: 'checkpoint', index: (HOUR - 1) % CHECKPOINTS })
  const { leafIndex, path } = place!.position
  expect(rootOfPath(remembered, leaves[120]!, leafIndex, path)).toBe(rootAt(FULL))
  // One search finds the root for all notes of an hour.
  expect((await checkpoints.locate(7))?.root).toEqual(place?.root)
  expect(reads).toEqual([70n])
})

it("locates a leaf only after the leaf's own hour has ended", async () => {
  const { checkpoints } = rootsOf(new Map([[HOUR - 1, rootAt(FULL)]]))
  expect(await checkpoints.locate(FULL)).toBeUndefined()
  expect(await checkpoints.locate(FULL - 1)).toBeDefined()
})

it('does not locate a note under a root that our tree never had', async () => {
  expect(await rootsOf(new Map([[HOUR - 1, 5n]])).checkpoints.locate(NOW - 60)).toBeUndefined()
  const unverified = rootsOf(new Map([[HOUR - 1, rootAt(FULL)]]), false)
  expect(await unverified.checkpoints.locate(1)).toBeUndefined()
})

it("I9: uses the root of an hour only after the cursor's finalized clock has passed the hour", async () => {
  const roots = new Map([
    [HOUR - 1, rootAt(FULL)],
    [HOUR - 2, rootAt(50)],
  ])
  const { checkpoints, cursor, reads } = rootsOf(roots)
  cursor.unixSeconds = BigInt(HOUR * 3_600 - 1)
  expect((await checkpoints.locate(7))?.root.index).toBe((HOUR - 2) % CHECKPOINTS)
  expect(await checkpoints.locate(120)).toBeUndefined()
  cursor.unixSeconds += 1n
  cursor.slot = 80n
  expect((await checkpoints.locate(120))?.root.index).toBe((HOUR - 1) % CHECKPOINTS)
  expect(reads).toEqual([70n, 80n])
})

it('reads a refused root from the chain again after `forget`', async () => {
  const roots = new Map([[HOUR - 1, rootAt(100)]])
  const { checkpoints, reads } = rootsOf(roots)
  expect(await checkpoints.locate(120)).toBeUndefined()
  roots.set(HOUR - 1, rootAt(FULL))
  expect(await checkpoints.locate(120)).toBeUndefined()
  checkpoints.forget()
  expect(await checkpoints.locate(120)).toBeDefined()
  expect(reads).toHaveLength(2)
})

it('compares each size of the tree only once if no size has the root of an hour', async () => {
  const { checkpoints, hashesOf, reads, tree } = rootsOf(new Map([[HOUR - 1, 5n]]))
  const first = await hashesOf(NOW - 60)
  expect(await hashesOf(NOW - 60)).toBeLessThan(first / 10)
  expect(await hashesOf(NOW - 120)).toBeLessThan(1.2 * first)
  expect(await hashesOf(NOW - 1)).toBeLessThan(first / 10)
  expect(reads).toHaveLength(1)
  // Leaves that replaced other leaves are compared again.
  tree.truncate(NOW - 130)
  tree.appendAll(leaves.slice(NOW - 130).map((leaf) => leaf + 1n))
  const { root } = tree
  tree.check({ nextLeaf: BigInt(NOW), rootAfter: () => root })
  expect(await checkpoints.locate(NOW - 60)).toBeUndefined()
  expect(reads).toHaveLength(2)
})
