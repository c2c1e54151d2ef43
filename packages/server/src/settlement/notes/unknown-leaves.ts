import type { Ledger } from '../../ports/upkeep-records.ts'

/** The orders and payments that are open in the database. */
interface OpenOrders {
  readonly count: number
  /** Number of open notes that are settled on the chain. */
  readonly settled: number
  /** Number of spent notes of open payments. */
  readonly appendedPayments: number
}

/**
 * Returns the number of unexplained leaves in the tree. An order's deposit appends one leaf, and its settlement appends
 * another. Each payment out of a balance also appends one leaf. A balance that ended without a settlement of its own
 * has only its deposit's leaf. Owners append more leaves when they pay without the service (see `leafExplainer`).
 *
 * Leaves are only counted. If the database recorded which leaf a settlement appended, it would link the settlement to
 * its order. The result is negative if the tree lacks the settlements of orders that have ended.
 */
export function unknownLeaves(
  ledger: Pick<Ledger, 'leaves' | 'deposited' | 'payments' | 'unsettled' | 'ownerChanges'>,
  { count, settled, appendedPayments }: OpenOrders,
): number {
  const { leaves, deposited, payments, unsettled, ownerChanges } = ledger
  const settlements = deposited - unsettled - count + settled
  return leaves - deposited - settlements - payments - appendedPayments - ownerChanges
}
