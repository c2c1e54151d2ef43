import type { Ledger } from '../../ports/settlement-store.ts'

/** The orders and payments that are open in the database. */
interface OpenOrders {
  readonly count: number
  /** Number of open notes that are settled on the chain. */
  readonly settled: number
  /** Open payments whose leaf is stored. */
  readonly appendedPayments: number
}

/**
 * The number of leaves in the tree that no order of this database explains. An order's deposit appends one leaf, and
 * its settlement, by anyone, another one. A payment out of a balance appends one. A balance that ended without a
 * settlement of its own has only its deposit's leaf. The leaves are counted and not marked, because a mark on a
 * settlement's leaf would link the deposit to the delivery. The result is negative if orders have ended whose
 * settlements the tree doesn't have.
 */
export function unknownLeaves(
  ledger: Pick<Ledger, 'leaves' | 'deposited' | 'payments' | 'unsettled'>,
  { count, settled, appendedPayments }: OpenOrders,
): number {
  const { leaves, deposited, payments, unsettled } = ledger
  const settlements = deposited - unsettled - count + settled
  return leaves - deposited - settlements - payments - appendedPayments
}
