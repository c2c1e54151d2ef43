import { wasmPoseidon } from '@sotto/poseidon'
import { CHECKPOINTS, MerkleTree, RECENT, rootOfPath } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { CheckpointRoots } from './checkpoint-roots.ts'
import { VerifiedTree } from './verified-tree.ts'

const HOUR = 500_000
/** Leaves at the end of the last full hour, and now: a flood pushed that root out of the ring. */
const [FULL, NOW] = [200, 200 + RECENT + 100]
const leaves = Array.from({ length: NOW }, (_, index) => BigInt(index + 1))

/** Checkpoints over the chain's tree, of which those of these hours are set. */
function rootsOf(hours: ReadonlyMap<number, bigint>, isVerified = true) {
  const tree = new VerifiedTree(wasmPoseidon)
  tree.appendAll(leaves)
  const { root } = tree
  if (isVerified) tree.check({ nextLeaf: BigInt(NOW), rootAfter: () => root })
  let reads = 0
  const chain = {
    readClock: async () => BigInt(HOUR * 3_600 + 1_800),
    readTree: async () => {
      reads += 1
      return { checkpoint: (hour: number) => hours.get(hour) ?? 0n } as never
    },
  }
  const checkpoints = new CheckpointRoots({ chain, poseidon: wasmPoseidon, tree })
  return { checkpoints, reads: () => reads }
}

function rootAt(size: number): bigint {
  const tree = new MerkleTree(wasmPoseidon)
  tree.appendAll(leaves.slice(0, size))
  return tree.root
}

it('a leaf flood leaves older notes a root that stays', async () => {
  const { checkpoints, reads } = rootsOf(
    new Map([
      [HOUR - 1, rootAt(FULL)],
      // The present hour's root still changes.
      [HOUR, rootAt(NOW)],
      [HOUR - 2, rootAt(50)],
    ]),
  )
  const place = await checkpoints.locate(120)
  expect(place?.root).toEqual({ kind: 'checkpoint', index: (HOUR - 1) % CHECKPOINTS })
  const { leafIndex, path } = place!.position
  expect(rootOfPath(wasmPoseidon, leaves[120]!, leafIndex, path)).toBe(rootAt(FULL))
  // Found once for all the notes of an hour.
  expect((await checkpoints.locate(7))?.root).toEqual(place?.root)
  expect(reads()).toBe(1)
})

it('a leaf younger than every full hour waits for its own to end', async () => {
  const { checkpoints } = rootsOf(new Map([[HOUR - 1, rootAt(FULL)]]))
  expect(await checkpoints.locate(FULL)).toBeUndefined()
  expect(await checkpoints.locate(FULL - 1)).toBeDefined()
})

it('nothing is located under roots that are not ours, or in a tree that is not verified', async () => {
  expect(await rootsOf(new Map([[HOUR - 1, 5n]])).checkpoints.locate(NOW - 60)).toBeUndefined()
  const unverified = rootsOf(new Map([[HOUR - 1, rootAt(FULL)]]), false)
  expect(await unverified.checkpoints.locate(1)).toBeUndefined()
})
