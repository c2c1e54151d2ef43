import { MAX_DEPOSIT_SECONDS, type UnixSeconds, unixSeconds } from '@sotto/protocol'
import type { ChainFollow, FinalizedHead, TreeTransaction } from '../../ports/settlement-chain.ts'
import type { FollowStore } from '../../ports/settlement-store.ts'
import type { OrderStore } from '../../ports/order-store.ts'
import { hexOf } from '../../domain/hex.ts'
import { leafOfAppended } from '../../settlement/follow/appended-leaf.ts'
import { rescanChain } from '../../settlement/follow/follow-chain.ts'
import type { FollowDependencies } from '../../settlement/follow/follow-dependencies.ts'
import { VerifiedTree } from '../../settlement/follow/verified-tree.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { openDeposit, type OpenDependencies, type RestoreAs } from './rebuild-order.ts'

export interface RebuildDependencies extends OpenDependencies, FollowDependencies {
  readonly chain: ChainFollow
  readonly store: FollowStore
  readonly orders: Pick<OrderStore, 'tryCreate'>
  readonly progress: (text: string) => void
}

/** A deposit that belongs to no restored order. */
export interface UnopenedDeposit {
  readonly orderId: Uint8Array
  readonly leaf: bigint
}

export interface Rebuilt {
  /** Deposits that landed on the chain. */
  readonly deposits: number
  /** Orders that were added to the database. */
  readonly restored: number
  readonly alreadyThere: number
  /**
   * Deposits that belong to no restored order, because no key opens them or because their order has another deposit.
   */
  readonly unopened: readonly UnopenedDeposit[]
  /**
   * After this time, in seconds of the chain's clock, no order from before the rebuild can get its deposit any more.
   */
  readonly lastDeadline: UnixSeconds
}

/**
 * Number of attempts to record the result. An attempt fails if another worker that follows the chain records it first.
 */
const ROUNDS = 10
const PROGRESS_EVERY = 1_000
/** Maximum number of attempts to read the history. Each attempt continues where the last successful request ended. */
const READS = 30
/** Pause after a failed read, in milliseconds. It is long enough for a rate-limited node to accept requests again. */
const READ_PAUSE_MS = 5_000

/**
 * Restores orders, leaves and cursor, starting with the first transaction that names the tree. Orders are inserted in
 * the state in which they await their deposit. Then one rescan records all leaves and deposits in one database
 * transaction, after it has compared the roots with the chain's roots (invariant I9). The rebuild can be repeated, even
 * after a crash.
 */
export async function rebuildOrders(d: RebuildDependencies, as: RestoreAs): Promise<Rebuilt> {
  const head = await d.chain.readHead()
  const transactions = await readAll(d, head)
  const opened = await insertAll(d, as, transactions)
  d.progress('rebuilding the note tree and comparing it with the chain')
  const chain = { ...d.chain, readHistory: async () => transactions }
  for (let round = 1; round <= ROUNDS; round += 1) {
    const followed = await rescanChain({ ...d, chain }, new VerifiedTree(d.poseidon))
    if (followed !== 'nothing' || isEmpty(opened)) {
      await recordAll(d, transactions)
      return { ...opened, lastDeadline: unixSeconds(head.unixSeconds + MAX_DEPOSIT_SECONDS) }
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

async function insertAll(
  d: RebuildDependencies,
  as: RestoreAs,
  transactions: readonly TreeTransaction[],
): Promise<Omit<Rebuilt, 'lastDeadline'>> {
  const landed = transactions.flatMap(({ appended, unixSeconds }) =>
    appended.flatMap((one) =>
      one.kind === 'deposit' ? [{ deposit: one.deposit, unixSeconds }] : [],
    ),
  )
  const unopened: UnopenedDeposit[] = []
  const opened = new Set<string>()
  let restored = 0
  for (const [index, { deposit, unixSeconds }] of landed.entries()) {
    const key = hexOf(deposit.orderId)
    // The first deposit that can be opened belongs to the order. Other deposits with the same order id belong to no
    // order.
    const order = opened.has(key) ? undefined : await openDeposit(d, as, deposit, unixSeconds)
    if (order === undefined) {
      const leaf = leafOfAppended(d.poseidon, d.pool.domain, { kind: 'deposit', deposit })
      unopened.push({ orderId: deposit.orderId, leaf })
    } else {
      opened.add(key)
      if ((await d.orders.tryCreate(order, undefined)) === 'created') restored += 1
    }
    const done = index + 1
    if (done % PROGRESS_EVERY === 0 || done === landed.length) {
      d.progress(`opened ${done} of ${landed.length} deposits`)
    }
  }
  const alreadyThere = opened.size - restored
  return { deposits: landed.length, restored, alreadyThere, unopened }
}

/** Records the deposits' transactions, so that a worker needn't search for each of them. */
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
