import {
  decodeRecent,
  recentSlice,
  shownTreeHeader,
  TREE_HEADER_BYTES,
  type Address,
} from '@sotto/protocol'
import { readAtSlot } from '../read-at-slot.ts'
import { readFixedPool, type RecoveryRpc } from '../read-accounts.ts'
import { leafCount } from './ring-leaves.ts'

/** The number of newest leaves that are read. */
const NEWEST = 64
/**
 * Maximum number of slots between reading the tree's size and reading its newest leaves. In so few slots, later leaves
 * can't overwrite the entries that are read from the ring, the Tree account's list of the newest leaves.
 */
const SLOTS_MAX = 1n

/**
 * The index of a leaf, if the leaf is among the newest of the tree. The search takes two requests, or three if the
 * newest leaves are at both ends of the ring. Together these responses have 6 KB. A response with the whole account
 * would have 155 KB.
 *
 * @returns undefined if the leaf isn't among the newest leaves, or if the node's responses are from slots that are too
 *   far apart. In either case, read the whole account.
 */
export async function indexAmongNewest(
  rpc: RecoveryRpc,
  program: Address,
  leaf: bigint,
): Promise<bigint | undefined> {
  const { tree } = await readFixedPool(rpc, program)
  const head = await readAtSlot(rpc, tree, { offset: 0, length: TREE_HEADER_BYTES })
  const header = shownTreeHeader(program, head.account)
  if (header === undefined) return undefined
  const end = leafCount(header)
  const first = Math.max(0, end - NEWEST)
  const leaves: bigint[] = []
  for (const slice of recentSlice(first, end - first)) {
    const { slot, account } = await readAtSlot(rpc, tree, slice)
    const isSameTime = slot >= head.slot && slot <= head.slot + SLOTS_MAX
    const isWhole = account?.owner === program && account.data.length === slice.length
    if (!isSameTime || !isWhole) return undefined
    leaves.push(...decodeRecent(account.data).map((entry) => entry.leaf))
  }
  const place = leaves.indexOf(leaf)
  return place < 0 ? undefined : BigInt(first + place)
}
