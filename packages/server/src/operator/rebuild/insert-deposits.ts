import type { KnownDeposits } from '../../adapters/store/settlement/known-deposits.ts'
import type { UnixSeconds } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import type { OrderStore } from '../../ports/order-store.ts'
import type { TreeTransaction } from '../../ports/settlement-chain.ts'
import { leafOfAppended } from '../../settlement/follow/appended-leaf.ts'
import { openDeposit, type OpenDependencies, type RestoreAs } from './rebuild-order.ts'

export interface InsertDependencies extends OpenDependencies {
  readonly orders: Pick<OrderStore, 'tryCreate'>
  /** The deposits that the database accounts for before the rebuild. */
  readonly known: () => Promise<KnownDeposits>
  readonly progress: (text: string) => void
}

/** A deposit that belongs to no order of the database. */
interface UnopenedDeposit {
  readonly orderId: Uint8Array
  readonly leaf: bigint
  /** The time of the deposit's transaction. */
  readonly depositedAt: UnixSeconds
}

export interface InsertedDeposits {
  /** Deposits that landed on the chain. */
  readonly deposits: number
  /** Orders that were added to the database. */
  readonly restored: number
  readonly alreadyThere: number
  /**
   * Deposits that belong to no order of the database and weren't written off before. Either no key opens them, or their
   * order has another deposit.
   */
  readonly unopened: readonly UnopenedDeposit[]
  /** The deposits of `unopened` whose order may be missing, because it has no other deposit that a key opens. */
  readonly lost: readonly UnopenedDeposit[]
}

const PROGRESS_EVERY = 1_000

/** Inserts the order of each deposit that a key opens, unless the database already has this order. */
export async function insertDeposits(
  d: InsertDependencies,
  as: RestoreAs,
  transactions: readonly TreeTransaction[],
): Promise<InsertedDeposits> {
  const landed = transactions.flatMap(({ appended, unixSeconds }) =>
    appended.flatMap((one) =>
      one.kind === 'deposit' ? [{ deposit: one.deposit, unixSeconds }] : [],
    ),
  )
  const known = await d.known()
  const unopened: UnopenedDeposit[] = []
  const opened = new Set<string>()
  let restored = 0
  for (const [index, { deposit, unixSeconds }] of landed.entries()) {
    const key = hexOf(deposit.orderId)
    const leaf = leafOfAppended(d.poseidon, d.pool.domain, { kind: 'deposit', deposit })
    const stored = known.orders.get(key)
    // One deposit belongs to an order: the deposit with the leaf of the stored order, or the first deposit that can be
    // opened. Other deposits with the same order id belong to no order. The deposit of a stored order needn't be
    // opened. Once the order is final and its key is destroyed, the deposit can't be opened anyway.
    const isStored = !opened.has(key) && stored === leaf
    const isLost = !opened.has(key) && stored === undefined
    const order = isLost ? await openDeposit(d, as, deposit, unixSeconds) : undefined
    if (isStored) opened.add(key)
    else if (order === undefined) {
      if (!known.writtenOff.has(leaf)) {
        unopened.push({ orderId: deposit.orderId, leaf, depositedAt: unixSeconds })
      }
    } else {
      opened.add(key)
      if ((await d.orders.tryCreate(order, undefined)) === 'created') restored += 1
    }
    const done = index + 1
    if (done % PROGRESS_EVERY === 0 || done === landed.length) {
      d.progress(`read ${done} of ${landed.length} deposits`)
    }
  }
  const alreadyThere = opened.size - restored
  const lost = unopened.filter(({ orderId }) => !opened.has(hexOf(orderId)))
  return { deposits: landed.length, restored, alreadyThere, unopened, lost }
}
