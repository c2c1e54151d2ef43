import { SLOTS_AHEAD_MAX } from '../../domain/followed-slot.ts'
import type { RecentRoots } from '../../ports/settlement-chain.ts'
import { leavesOf } from './appended-leaf.ts'
import type { FollowDependencies } from './follow-dependencies.ts'
import { VerifiedTree } from './verified-tree.ts'

/** The leaves in the tree account's ring of newest leaves, and the point up to which the chain was followed. */
export interface CatchUpTarget {
  /** The index of the oldest leaf in the ring. */
  readonly ringFrom: number
  readonly ring: readonly bigint[]
  readonly roots: RecentRoots
  /** Our tree has every leaf up to this slot, unless a node's false answer has moved the cursor too far ahead. */
  readonly slot: bigint
}

/** The leaves of a tree that now has all leaves of the chain. */
export interface CaughtUp {
  /** Number of old leaves that stayed. The leaves of `fresh` follow them. */
  readonly keep: number
  readonly fresh: readonly bigint[]
}

/**
 * Gets the leaves that the ring has dropped: first from publishers, then from the chain's history. A source's leaves
 * are accepted only if they lead to a root of the chain. If all sources contradict our leaves, the whole tree is read
 * again, starting at index 0. If no source has the right leaves, the tree keeps its leaves. Then the result is
 * `refuted` if every source answered with wrong leaves, and otherwise `unavailable`.
 */
export async function catchUp(
  d: FollowDependencies,
  tree: VerifiedTree,
  target: CatchUpTarget,
): Promise<CaughtUp | 'refuted' | 'unavailable'> {
  let isRefuted = false
  let isSilent = false
  for (const keep of new Set([tree.size, 0])) {
    for (const { read, forget } of sourcesOf(d, tree, target, keep)) {
      const gap = await readOrLog(d, read)
      isSilent ||= gap === undefined
      if (gap === undefined) continue
      forget()
      const fresh = [...gap, ...target.ring]
      if (await takesIn(tree, keep, fresh, target.roots)) return { keep, fresh }
      isRefuted = true
    }
    // A source without an answer may agree with our leaves. So don't read all leaves again yet.
    if (isSilent) break
  }
  return isRefuted && !isSilent ? 'refuted' : 'unavailable'
}

/**
 * A source of the leaves between our leaves and the ring's leaves. `read` throws an Error if the source can't return
 * these leaves now.
 */
interface Source {
  readonly read: () => Promise<readonly bigint[]>
  readonly forget: () => void
}

function sourcesOf(
  d: FollowDependencies,
  tree: VerifiedTree,
  { ringFrom, slot }: CatchUpTarget,
  keep: number,
): Source[] {
  const published = d.published.map((source) => ({
    read: () => source.read(keep, ringFrom),
    forget: () => source.forget(),
  }))
  const history = {
    read: async () => {
      // A node's false answer may have moved the cursor ahead by up to `SLOTS_AHEAD_MAX` slots. So the tree may lack
      // leaves up to the cursor.
      const isRecent = keep > 0 && slot > SLOTS_AHEAD_MAX
      const slotFrom = isRecent ? slot - SLOTS_AHEAD_MAX : 0n
      const transactions = await d.chain.readHistory(slotFrom, await d.chain.readHead())
      const listed = leavesOf(d.poseidon, d.pool.domain, transactions)
      // The history begins with leaves that the tree already has: the leaves of the first slot, and perhaps of later
      // slots.
      const last = keep === 0 ? undefined : tree.leaf(keep - 1)
      const start = last === undefined ? 0 : listed.lastIndexOf(last) + 1
      const leaves = listed.slice(start, start + ringFrom - keep)
      if (leaves.length < ringFrom - keep) {
        throw new Error('the history that the node shows lacks some of the missing leaves')
      }
      return leaves
    },
    forget: () => d.chain.forgetHistory(),
  }
  return [...published, history]
}

async function readOrLog(
  d: FollowDependencies,
  read: Source['read'],
): Promise<readonly bigint[] | undefined> {
  try {
    return await read()
  } catch (error) {
    d.log.failed('catch_up', error)
    return undefined
  }
}

/**
 * Appends leaves after the first `keep` leaves. If `keep` is 0, replaces all leaves. If the chain doesn't confirm the
 * resulting root, the tree keeps its old leaves, and the result is false.
 */
async function takesIn(
  tree: VerifiedTree,
  keep: number,
  leaves: readonly bigint[],
  roots: RecentRoots,
): Promise<boolean> {
  if (keep > 0) {
    await tree.appendMany(leaves)
    if (tree.check(roots)) return true
    tree.truncate(keep)
    return false
  }
  const whole = new VerifiedTree(tree.poseidon)
  await whole.appendMany(leaves)
  if (!whole.check(roots)) return false
  tree.adopt(whole)
  return true
}
