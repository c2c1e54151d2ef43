import type { HealthStore, Ledger } from '../../ports/settlement-store.ts'

/** The open orders whose leaves are counted. */
interface OpenOrders {
  readonly count: number
  /** The leaves that their settlements append, as far as their keys are there. */
  readonly changeLeaves: readonly bigint[]
}

/**
 * How many leaves the tree has that no order of this database explains: an order's deposit is one, and its settlement,
 * by anyone, another. They are counted and not marked, because a mark on a settlement's leaf would join the two
 * sides. A settlement whose order isn't completed yet is found by its leaf, which only its key gives.
 */
export async function unknownLeaves(
  store: Pick<HealthStore, 'countLeaves'>,
  { leaves, deposited }: Pick<Ledger, 'leaves' | 'deposited'>,
  { count, changeLeaves }: OpenOrders,
): Promise<number> {
  const settled = deposited - count + (await store.countLeaves(changeLeaves))
  return leaves - deposited - settled
}
