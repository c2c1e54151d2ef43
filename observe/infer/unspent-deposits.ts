import { grossOf, type SeenDeposit, type SeenSettlement } from '../chain/sightings.ts'
import { fitsUnpaid } from './last-payments.ts'

/** A refund, and the deposits of its payee from which it can come. */
interface Refunded {
  readonly refund: SeenSettlement
  readonly deposits: readonly SeenDeposit[]
}

/**
 * The deposits whose whole value certainly returned. A wallet may have made several deposits of one value, and a refund
 * names none of them. If the time of the refund fits the deadline of only one of these deposits, the refund returned
 * this deposit. If the time fits several deposits, or none, the refund excludes a deposit only if all of the possible
 * deposits were refunded.
 */
export function unspentDeposits(refunds: readonly Refunded[]): ReadonlySet<number> {
  const unspent = new Set<number>()
  let left = refunds
    .map(({ refund, deposits }) => optionsOf(refund, deposits))
    .filter((options) => options.length > 0)
  for (let found = true; found;) {
    left = left.map((options) => options.filter((one) => !unspent.has(one)))
    const before = unspent.size
    for (const options of left) {
      // There are at least as many refunds as deposits, so each of the deposits was refunded.
      const isWithin = (other: readonly number[]) => other.every((one) => options.includes(one))
      if (left.filter(isWithin).length < options.length) continue
      for (const one of options) unspent.add(one)
    }
    left = left.filter((options) => !options.every((one) => unspent.has(one)))
    found = unspent.size > before
  }
  return unspent
}

/** The deposits that the refund can have returned as a whole: those whose deadline fits, or else all of them. */
function optionsOf(refund: SeenSettlement, deposits: readonly SeenDeposit[]): number[] {
  const whole = deposits.filter(
    ({ value, deadline }) => value === grossOf(refund) && deadline < refund.seconds,
  )
  const fitting = whole.filter((deposit) => fitsUnpaid(refund, deposit))
  return (fitting.length > 0 ? fitting : whole).map(({ index }) => index)
}
