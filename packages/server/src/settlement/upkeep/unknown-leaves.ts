import type { Ledger } from '../../ports/settlement-store.ts'

/** The open orders whose leaves are counted. */
interface OpenOrders {
  readonly count: number
  /** How many of their notes are settled all the same. */
  readonly settled: number
  /** Open payments whose leaf is stored. */
  readonly appendedPayments: number
}

/**
 * How many leaves the tree has that no order of this database explains: an order's deposit is one, and its settlement,
 * by anyone, another; a payment out of a balance appends one. A balance that ended without a settlement of its own has its deposit's alone. They are counted and
 * not marked, because a mark on a settlement's leaf would join the two sides. Less than 0 if orders have ended whose
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
