import { RESIDUE_SHARE } from '@sotto/protocol'
import { grossOf, type SeenSettlement, type Sightings } from '../chain/sightings.ts'
import type { Bundle } from './bundle.ts'
import { emptiedBalances } from './emptied-balances.ts'
import { isTransfer } from './is-transfer.ts'
import { readReturnTimes, type LastPayment, type ReturnTimes } from './last-payments.ts'
import { subsetsOfSum } from './subset-sums.ts'
import { unspentDeposits } from './unspent-deposits.ts'

/** The facts that returned rests reveal. Deposits and settlements are identified by their indexes. */
export interface ReturnedRests {
  /** Deposits whose whole value a refund certainly returned. No payment spent any part of them. */
  readonly unspent: ReadonlySet<number>
  /**
   * For each rest that a sum of payments explains: the bundles that may explain the rest. A refund is listed only if
   * there is exactly one bundle. A bundle is a deposit and payments. The payments plus the rest equal the deposit's
   * value, except for a residue that may stay in the pool. Also contains the bundle of each balance that was emptied by
   * its payments.
   */
  readonly bundles: readonly (readonly Bundle[])[]
  /** The settlements that returned the rests in `bundles`. */
  readonly explained: ReadonlySet<number>
  /**
   * For each deposit whose rest was certainly returned: the refund. No payment can have taken the refund's amount, and
   * no payment can have followed the refund.
   */
  readonly returned: ReadonlyMap<number, SeenSettlement>
  readonly times: ReturnTimes
  /** For each deposit whose rest was certainly returned at a known time: the last payment out of it. */
  readonly lastPayments: ReadonlyMap<number, LastPayment>
}

/** A sum that fits counts as evidence only if the expected number of sums that fit by chance is below this. */
const CHANCE_MAX = 0.01
/** The sums of this many rests are enough to estimate the usual life of balances. */
const SAMPLED_MAX = 60

/**
 * Reads the facts that returned rests reveal. A refund pays the rest of a deposit to the wallet that deposited. So the
 * payments out of this deposit add up to the deposit's value minus the rest.
 *
 * An owner may also close a balance, and pay the rest to the wallet that deposited. Then the payments add up to the
 * deposit's value minus the rest, or to slightly less, because a residue may stay in the pool.
 */
export function readReturnedRests(sightings: Sightings): ReturnedRests {
  const { settlements } = sightings
  const returned = new Map<number, SeenSettlement>()
  const bundles: Bundle[][] = []
  const explained = new Set<number>()
  const refunds = settlements.filter(({ isRefund }) => isRefund)
  const unspent = unspentDeposits(
    refunds.map((refund) => ({ refund, deposits: depositsOf(sightings, refund) })),
  )
  const rests = refunds.filter(
    (refund) => !depositsOf(sightings, refund).some(({ value }) => value === grossOf(refund)),
  )
  const times = returnTimes(sightings, unspent, rests)
  const lastPayments = new Map<number, LastPayment>()
  for (const refund of rests) {
    const ways = waysTo(sightings, unspent, refund, { times })
    // If several sums fit, a run would draw one of them and treat it as certain. Instead, `weighRests` weighs all of
    // them.
    if (ways.length === 1) {
      bundles.push(ways.map(({ bundle }) => bundle))
      explained.add(refund.index)
    }
    const [only, ...others] = times.depositsOf(refund).filter(({ index }) => !unspent.has(index))
    if (only === undefined || others.length > 0) continue
    returned.set(only.index, refund)
    const last = times.lastPayment(refund, only)
    if (last !== undefined) lastPayments.set(only.index, last)
  }
  for (const closing of settlements.filter((one) => !one.isRefund)) {
    const isClear = ({ byChance }: { readonly byChance: number }) => byChance < CHANCE_MAX
    const exact = waysTo(sightings, unspent, closing).filter(isClear)
    const ways =
      exact.length > 0
        ? exact
        : waysTo(sightings, unspent, closing, { share: RESIDUE_SHARE }).filter(isClear)
    if (ways.length === 0) continue
    explained.add(closing.index)
    bundles.push(
      ways.map(({ bundle }) => ({
        ...bundle,
        settlements: [...bundle.settlements, closing.index],
      })),
    )
  }
  for (const bundle of emptiedBalances(sightings, { unspent, returned, explained })) {
    bundles.push([bundle])
  }
  return { unspent, bundles, explained, returned, times, lastPayments }
}

/** Reads what the times of returns show. Sums that probably fit by chance are no evidence for the life of balances. */
function returnTimes(
  sightings: Sightings,
  unspent: ReadonlySet<number>,
  rests: readonly SeenSettlement[],
): ReturnTimes {
  const sampled = new Set(rests.slice(0, SAMPLED_MAX).map(({ index }) => index))
  return readReturnTimes(
    sightings,
    (refund) => depositsOf(sightings, refund),
    (refund) =>
      sampled.has(refund.index)
        ? waysTo(sightings, unspent, refund)
            .filter(({ byChance }) => byChance < CHANCE_MAX)
            .map(({ bundle }) => bundle.settlements.at(-1) ?? refund.index)
            .map((last) => sightings.settlements[last]?.seconds ?? 0)
        : [],
  )
}

/** The earlier deposits of the wallet that a settlement pays. The settlement may return the rest of one of them. */
export function depositsOf({ deposits }: Sightings, settlement: SeenSettlement) {
  return deposits.filter(
    ({ sender, asset, value, leafIndex }) =>
      sender === settlement.payee &&
      asset === settlement.asset &&
      value >= grossOf(settlement) &&
      leafIndex < settlement.leafIndex,
  )
}

/**
 * The possible bundles of a settlement that returned the rest of one of its payee's deposits.
 *
 * @param share the payments' sum may be too low by at most the deposit's value divided by this number.
 * @param times what the times of returns show, once it is known.
 */
function waysTo(
  sightings: Sightings,
  unspent: ReadonlySet<number>,
  last: SeenSettlement,
  { share, times }: { readonly share?: bigint; readonly times?: ReturnTimes } = {},
) {
  const deposits = times?.depositsOf(last) ?? depositsOf(sightings, last)
  return deposits.flatMap((deposit) => {
    const window = times?.lastPayment(last, deposit)
    const paid = deposit.value - grossOf(last)
    if (paid === 0n || unspent.has(deposit.index)) return []
    const between = sightings.settlements.filter(
      (one) =>
        !one.isRefund &&
        one.index !== last.index &&
        one.asset === last.asset &&
        one.leafIndex > deposit.leafIndex &&
        one.leafIndex < last.leafIndex &&
        one.seconds <= (window?.to ?? Infinity) &&
        grossOf(one) <= paid &&
        !isTransfer(sightings, one),
    )
    const isLast = (place: number): boolean =>
      (between[place]?.seconds ?? 0) >= (window?.from ?? -Infinity)
    const slack = share === undefined ? 0n : deposit.value / share
    const sums = subsetsOfSum(between.map(grossOf), paid, slack)
    // If only small subsets were tried, the true subset may be missing. Then a sum that is likely to fit by chance is
    // no evidence.
    if (sums === undefined || (!sums.isWhole && sums.byChance >= CHANCE_MAX)) return []
    const found = sums.found.filter((places) => places.some(isLast))
    return found.map((places) => ({
      bundle: {
        deposit: deposit.index,
        settlements: places.flatMap((place) => between[place]?.index ?? []),
      },
      byChance: sums.byChance,
    }))
  })
}
