import type { Ledger } from '../../ports/upkeep-records.ts'

/** The orders and payments that are open in the database. */
interface OpenOrders {
  readonly count: number
  /** Number of open notes that are settled on the chain. */
  readonly settled: number
  /** Notes of open payments that are spent. */
  readonly appendedPayments: number
}

/**
 * How many leaves the tree has that nothing explains. An order's deposit is a leaf, and its settlement, by anyone,
 * another; a payment out of a balance appends one. A balance that ended without a settlement of its own has the leaf of
 * its deposit alone. Owners append more when they pay without the service (see `leafExplainer`). Leaves are counted and
 * not marked, because a mark on a settlement's leaf would join the two sides. Less than 0 if orders have ended whose
 * settlements the tree doesn't have.
 */
export function unknownLeaves(
  ledger: Pick<Ledger, 'leaves' | 'deposited' | 'payments' | 'unsettled' | 'ownerChanges'>,
  { count, settled, appendedPayments }: OpenOrders,
): number {
  const { leaves, deposited, payments, unsettled, ownerChanges } = ledger
  const settlements = deposited - unsettled - count + settled
  return leaves - deposited - settlements - payments - appendedPayments - ownerChanges
}
