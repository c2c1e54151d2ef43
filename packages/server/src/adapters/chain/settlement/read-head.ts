import {
  CLOCK_SYSVAR,
  shownClock,
  shownTreeHeader,
  TREE_LEAVES,
  type Address,
  type UnixSeconds,
} from '@sotto/protocol'
import { wholeNumber } from '../../../domain/whole-number.ts'
import type { FinalizedHead, RootedHead } from '../../../ports/settlement-chain.ts'
import { readEntries } from './read-entries.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/** Number of bytes to read of each account: the whole Clock sysvar, and the start of the Tree. */
const HEAD_BYTES = 40

/**
 * Reads the height first. Then it reads the clock and the tree together, at the height's slot or later. The order
 * matters, because a transaction can't land above a certain block height. Only a tree that is read after that height
 * shows whether the transaction has landed.
 */
export async function readHead(
  rpc: ChainRpc,
  { program, tree }: { readonly program: Address; readonly tree: Address },
): Promise<FinalizedHead> {
  const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: 'finalized' }).send()
  const { slot, accounts } = await readAccounts(rpc, [CLOCK_SYSVAR, tree], {
    commitment: 'finalized',
    slotMin: absoluteSlot,
    slice: { offset: 0, length: HEAD_BYTES },
  })
  const [clock, treeStart] = accounts
  const header = shownTreeHeader(program, treeStart)
  if (header === undefined) throw new Error('the RPC node returned no tree')
  const { nextIndex: nextLeaf } = header
  if (nextLeaf > TREE_LEAVES)
    throw new Error('the RPC node reports more leaves than a tree can have')
  return { slot, blockHeight, unixSeconds: shownClock(clock), nextLeaf }
}

/** Reads the head of one node, and the root after the head's last leaf from the same node. */
export async function readRootedHead(
  rpc: ChainRpc,
  at: { readonly program: Address; readonly tree: Address },
): Promise<RootedHead> {
  const head = await readHead(rpc, at)
  if (head.nextLeaf === 0n) return { ...head, root: undefined }
  const [last] = await readEntries(rpc, at, head, wholeNumber(head.nextLeaf) - 1)
  return { ...head, root: last?.root }
}

/** Reads the chain's clock, seconds since 1970; by default at `confirmed`. */
export async function readClock(
  rpc: ChainRpc,
  commitment: 'confirmed' | 'finalized' = 'confirmed',
): Promise<UnixSeconds> {
  const { accounts } = await readAccounts(rpc, [CLOCK_SYSVAR], { commitment })
  return shownClock(accounts[0])
}
