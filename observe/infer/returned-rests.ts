import { RESIDUE_SHARE } from '@sotto/protocol'
import { grossOf, type SeenSettlement, type Sightings } from '../chain/sightings.ts'
import { isRound } from './amounts.ts'
import { subsetsOfSum } from './subset-sums.ts'

/** A deposit, and all settlements that were paid out of it. */
export interface Bundle {
  readonly deposit: number
  readonly settlements: readonly number[]
}

/** The facts that returned rests reveal. Deposits and settlements are given as indexes. */
export interface ReturnedRests {
  /** Deposits that a refund returned whole, so that nothing was paid out of them. */
  readonly unspent: ReadonlySet<number>
  /** For each rest that was returned: the ways in which deposit, payments and rest add up. */
  readonly bundles: readonly (readonly Bundle[])[]
  /** The settlements that returned those rests. */
  readonly explained: ReadonlySet<number>
  /** For each deposit: the part of its value that can't have been paid out, because it was returned. */
  readonly returned: ReadonlyMap<number, bigint>
}

/**
 * A fit counts as evidence only if it would occur by chance with less than this probability.
 */
const CHANCE_MAX = 0.01

/**
 * Reads the facts that returned rests reveal. A refund names the wallet that deposited, and returns the rest. So the
 * payments out of that deposit add up to the deposit without the rest. The same holds if an owner closes a balance and
 * pays the rest to the wallet that deposited.
 */
export function readReturnedRests(sightings: Sightings): ReturnedRests {
  const { settlements } = sightings
  const unspent = new Set<number>()
  const returned = new Map<number, bigint>()
  const bundles: Bundle[][] = []
  const explained = new Set<number>()
  const refunds = settlements.filter(({ isRefund }) => isRefund)
  for (const refund of refunds) {
    const whole = depositsOf(sightings, refund).find(
      ({ index, value }) => value === grossOf(refund) && !unspent.has(index),
    )
    if (whole !== undefined) unspent.add(whole.index)
  }
  const rests = refunds.filter(
    (refund) => !depositsOf(sightings, refund).some(({ value }) => value === grossOf(refund)),
  )
  for (const refund of rests) {
    const ways = waysTo(sightings, unspent, refund)
    if (ways.length > 0) {
      bundles.push(ways.map(({ bundle }) => bundle))
      explained.add(refund.index)
    }
    const [only, ...others] = depositsOf(sightings, refund)
    if (only !== undefined && others.length === 0) returned.set(only.index, grossOf(refund))
  }
  for (const closing of settlements.filter((one) => !one.isRefund)) {
    const isClear = ({ byChance }: { readonly byChance: number }) => byChance < CHANCE_MAX
    const exact = waysTo(sightings, unspent, closing).filter(isClear)
    const ways =
      exact.length > 0 ? exact : waysTo(sightings, unspent, closing, RESIDUE_SHARE).filter(isClear)
    if (ways.length === 0) continue
    explained.add(closing.index)
    bundles.push(
      ways.map(({ bundle }) => ({
        ...bundle,
        settlements: [...bundle.settlements, closing.index],
      })),
    )
  }
  return { unspent, bundles, explained, returned }
}

/** The deposits that the payee itself made, and whose rest the settlement may return. */
export function depositsOf({ deposits }: Sightings, settlement: SeenSettlement) {
  return deposits.filter(
    ({ sender, asset, value, leafIndex }) =>
      sender === settlement.payee &&
      asset === settlement.asset &&
      value >= grossOf(settlement) &&
      leafIndex < settlement.leafIndex,
  )
}

/** @param share the sums may fall short by the deposit's value divided by this number */
function waysTo(
  sightings: Sightings,
  unspent: ReadonlySet<number>,
  last: SeenSettlement,
  share?: bigint,
) {
  return depositsOf(sightings, last).flatMap((deposit) => {
    const paid = deposit.value - grossOf(last)
    if (paid === 0n || unspent.has(deposit.index)) return []
    const between = sightings.settlements.filter(
      (one) =>
        !one.isRefund &&
        one.index !== last.index &&
        one.asset === last.asset &&
        one.leafIndex > deposit.leafIndex &&
        one.leafIndex < last.leafIndex &&
        grossOf(one) <= paid &&
        !isTransfer(sightings, one),
    )
    const slack = share === undefined ? 0n : deposit.value / share
    const sums = subsetsOfSum(between.map(grossOf), paid, slack)
    // If only small subsets were tried, the true one may be missing. A fit that is likely by chance then shows nothing.
    if (sums === undefined || (!sums.isWhole && sums.byChance >= CHANCE_MAX)) return []
    return sums.found.map((places) => ({
      bundle: {
        deposit: deposit.index,
        settlements: places.flatMap((place) => between[place]?.index ?? []),
      },
      byChance: sums.byChance,
    }))
  })
}

/** True for a settlement that takes the whole of an odd value: by chance that happens once in a million. */
export function isTransfer({ deposits }: Sightings, settlement: SeenSettlement): boolean {
  const gross = grossOf(settlement)
  if (isRound(gross) || isRound(settlement.payout)) return false
  return deposits.some(
    ({ asset, value, leafIndex }) =>
      asset === settlement.asset && value === gross && leafIndex < settlement.leafIndex,
  )
}
