import {
  type MerkleTree,
  type NotePosition,
  type RootPlace,
  type TreeAccount,
} from '@sotto/protocol'
import { finishedHours } from './leaves/ring-leaves.ts'

/**
 * Maximum number of leaves that the search removes, a power of two. It is enough even if someone floods the tree for an
 * hour.
 */
const STEPS_MAX = 2 ** 18

/**
 * A leaf's position under the newest root of a finished hour. The search removes the later leaves from `tree`.
 * Undefined if the leaf, or more than `STEPS_MAX` other leaves, were appended after that hour.
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
