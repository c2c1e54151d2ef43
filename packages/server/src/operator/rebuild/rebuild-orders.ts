import { MAX_DEPOSIT_SECONDS, type Address, type UnixSeconds, unixSeconds } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead, TreeTransaction } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import { leavesOf, payeesOf } from '../../settlement/follow/appended-leaf.ts'
import { rescanChain } from '../../settlement/follow/follow-chain.ts'
import type { FollowDependencies } from '../../settlement/follow/follow-dependencies.ts'
import { VerifiedTree } from '../../settlement/follow/verified-tree.ts'
import { OperatorError } from '../../start/operator-error.ts'
import {
  insertDeposits,
  type InsertDependencies,
  type InsertedDeposits,
} from './insert-deposits.ts'
import type { RestoreAs } from './rebuild-order.ts'

export interface RebuildDependencies extends InsertDependencies, FollowDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  /** Stores payees of settlements: see `PaidPayees`. */
  readonly recordPaid: (payees: readonly Address[]) => Promise<void>
}

export interface Rebuilt extends InsertedDeposits {
  /** The time of the chain's clock up to which the history was read. */
  readonly readUntil: UnixSeconds
  /**
   * After this time, in seconds of the chain's clock, no order from before the rebuild can get its deposit any more.
   */
  readonly lastDeadline: UnixSeconds
  /** False if the node's history lacks leaves of the tree, so that payees may be missing. */
  readonly hasAllPayees: boolean
}

/**
 * Number of attempts to record the result. An attempt fails if another worker that follows the chain records it first.
 */
const ROUNDS = 10
/** Maximum number of attempts to read the history. Each attempt continues where the last successful request ended. */
const READS = 30
/** Pause after a failed read, in milliseconds. It is long enough for a rate-limited node to accept requests again. */
const READ_PAUSE_MS = 5_000

/**
 * Restores orders, leaves and cursor, starting with the first transaction that names the tree. Orders are inserted with
 * the status `awaiting_deposit`. Then one rescan records all leaves and deposits in one database transaction, after it
 * has compared the roots with the chain's roots (invariant I9). The rebuild can be repeated, even after a crash.
 */
export async function rebuildOrders(d: RebuildDependencies, as: RestoreAs): Promise<Rebuilt> {
  const head = await d.chain.readHead()
  const transactions = await readAll(d, head)
  await d.recordPaid(payeesOf(transactions))
  const opened = await insertDeposits(d, as, transactions)
  d.progress('rebuilding the note tree and comparing it with the chain')
  const chain = { ...d.chain, readHistory: async () => transactions }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const tree = new VerifiedTree(d.poseidon)
    const followed = await rescanChain({ ...d, chain }, tree)
    if (followed !== 'nothing' || isEmpty(opened)) {
      await recordAll(d, transactions)
      return {
        ...opened,
        readUntil: head.unixSeconds,
        lastDeadline: unixSeconds(head.unixSeconds + MAX_DEPOSIT_SECONDS),
        hasAllPayees: showsAllOf(tree, d, transactions) && BigInt(tree.size) >= head.nextLeaf,
      }
    }
  }
  throw new OperatorError(
    'a worker is following the chain at the same time: stop it, then run this command again',
  )
}

/** Reads the whole history. A failed request doesn't restart a long read from its beginning. */
async function readAll(d: RebuildDependencies, head: FinalizedHead): Promise<TreeTransaction[]> {
  for (let read = 1; ; read += 1) {
    try {
      return await d.chain.readHistory(0n, head)
    } catch (error) {
      if (error instanceof OperatorError || read === READS) throw error
      d.progress(`the node stopped answering, and reading continues shortly: ${String(error)}`)
      await d.clock.sleep(READ_PAUSE_MS)
    }
  }
}

const isEmpty = ({ deposits }: { readonly deposits: number }) => deposits === 0

/** Records the deposits' transactions, so that a worker needn't search for the transaction of each deposit. */
async function recordAll(
  { store }: RebuildDependencies,
  transactions: readonly TreeTransaction[],
): Promise<void> {
  for (const { appended, ...found } of transactions) {
    for (const one of appended) {
      if (one.kind === 'deposit') await store.recordLocated(one.deposit.orderId, found)
    }
  }
}

/** True if the transactions appended every leaf of the tree, and show each settlement completely. */
export function showsAllOf(
  tree: VerifiedTree,
  { poseidon, pool }: Pick<RebuildDependencies, 'poseidon' | 'pool'>,
  transactions: readonly TreeTransaction[],
): boolean {
  const appended = transactions.flatMap((one) => one.appended).slice(0, tree.size)
  const leaves = leavesOf(poseidon, pool.domain, transactions).slice(0, tree.size)
  return (
    leaves.length === tree.size &&
    leaves.every((leaf, index) => leaf === tree.leaf(index)) &&
    appended.every((one) => one.kind === 'deposit' || one.paid !== undefined)
  )
}
