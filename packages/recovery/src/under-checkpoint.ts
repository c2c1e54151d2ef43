import {
  type MerkleTree,
  type NotePosition,
  type RootPlace,
  type TreeAccount,
} from '@sotto/protocol'
import { finishedHours } from './leaves/ring-leaves.ts'

/** Leaves of an hour in which somebody floods the tree, to a power of two. */
const STEPS_MAX = 2 ** 18

/**
 * A leaf's position under the newest root of an hour that is over. Drops later leaves of `tree` on the way to it.
 * Undefined for a leaf that came later, or if the hour lies too many leaves back.
 */
export function underCheckpoint(
  tree: MerkleTree,
  account: TreeAccount,
  leafIndex: number,
): { readonly position: NotePosition; readonly root: RootPlace } | undefined {
  const hours = finishedHours(account)
  const least = Math.max(leafIndex + 1, tree.size - STEPS_MAX)
  for (let size = tree.size; size >= least; size -= 1) {
    tree.truncate(size)
    const index = hours.get(tree.root)
    if (index === undefined) continue
    const position = { leafIndex: BigInt(leafIndex), path: tree.path(leafIndex) }
    return { position, root: { kind: 'checkpoint', index } }
  }
  return undefined
}
