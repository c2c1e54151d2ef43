import {
  decodeRecent,
  RECENT,
  recentSlice,
  shownTree,
  shownTreeHeader,
  TREE_HEADER_BYTES,
  type Address,
  type RecentLeaf,
  type TreeAccount,
} from '@sotto/protocol'
import type { Commitment } from '@solana/kit'
import { wholeNumber } from '../../../domain/whole-number.ts'
import type { FinalizedHead, TreeSnapshot } from '../../../ports/settlement-chain.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

interface TreeOf {
  readonly program: Address
  readonly tree: Address
}

interface Range {
  readonly from: number
  readonly to: number
  readonly commitment: Commitment
  readonly slotMin?: bigint
}

/**
 * Reads a range of the ring, which is the part of the Tree account with the newest leaves. A range that continues at
 * the ring's start takes two requests.
 */
async function readRange(
  rpc: ChainRpc,
  { program, tree }: TreeOf,
  { from, to, ...options }: Range,
): Promise<RecentLeaf[]> {
  const entries: RecentLeaf[] = []
  for (const slice of recentSlice(from, to - from)) {
    const { accounts } = await readAccounts(rpc, [tree], { ...options, slice })
    const [account] = accounts
    if (account?.owner !== program || account.data.length !== slice.length) {
      throw new Error('the RPC node returned no tree')
    }
    entries.push(...decodeRecent(account.data))
  }
  return entries
}

/**
 * Reads the ring's entries from leaf `from` to the head's last leaf.
 *
 * @throws RangeError if the ring can't hold so many entries.
 */
export function readEntries(
  rpc: ChainRpc,
  of: TreeOf,
  head: FinalizedHead,
  from: number,
): Promise<RecentLeaf[]> {
  const to = wholeNumber(head.nextLeaf)
  return readRange(rpc, of, { from, to, commitment: 'finalized', slotMin: head.slot })
}

/**
 * Reads the leaves from index `from`, at `confirmed`. If they don't fit into the ring, reads only the newest leaves.
 */
export async function readConfirmedLeaves(
  rpc: ChainRpc,
  of: TreeOf,
  from: number,
): Promise<bigint[]> {
  const commitment = 'confirmed'
  const slice = { offset: 0, length: TREE_HEADER_BYTES }
  const { accounts } = await readAccounts(rpc, [of.tree], { commitment, slice })
  const header = shownTreeHeader(of.program, accounts[0])
  if (header === undefined) throw new Error('the RPC node returned no tree')
  const to = wholeNumber(header.nextIndex)
  if (to <= from) return []
  const first = Math.max(from, to - RECENT)
  const entries = await readRange(rpc, of, { from: first, to, commitment })
  return entries.map(({ leaf }) => leaf)
}

/** Reads the whole Tree account at a finalized slot that isn't before `slotMin`. */
export async function readTree(
  rpc: ChainRpc,
  { program, tree }: TreeOf,
  slotMin: bigint,
): Promise<TreeSnapshot> {
  const { slot, accounts } = await readAccounts(rpc, [tree], { commitment: 'finalized', slotMin })
  const shown = shownTree(program, accounts[0])
  if (shown === undefined) throw new Error('the RPC node returned no tree')
  return snapshotOf(slot, shown)
}

function snapshotOf(slot: bigint, shown: TreeAccount): TreeSnapshot {
  const { nextIndex, lastCheckpointHour, recent, checkpoint } = shown
  return {
    ...{ slot, lastCheckpointHour, checkpoint },
    nextLeaf: nextIndex,
    entry: (index) => {
      const isHeld = index >= 0 && BigInt(index) < nextIndex && BigInt(index + RECENT) >= nextIndex
      return isHeld ? recent(index) : undefined
    },
  }
}
