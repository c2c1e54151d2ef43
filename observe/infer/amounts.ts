import type { SeenDeposit, SeenSettlement } from '../chain/sightings.ts'
import { grossOf } from '../chain/sightings.ts'

/** A model of how common each payment amount is. */
export interface AmountModel {
  /** The logarithm of the chance that a payment out of a balance has this settlement's gross amount. */
  readonly logChance: (settlement: SeenSettlement) => number
}

/**
 * The weight, in observations, of an amount that no other settlement has. `ROUND_UNSEEN` is for round amounts, and
 * `ODD_UNSEEN` for all others.
 */
export const ROUND_UNSEEN = 0.05
export const ODD_UNSEEN = 1e-6

const ROUND_DIGITS = 2n

/** True if an amount has at most two digits before its trailing zeros, such as 1.5 or 20. */
export function isRound(amount: bigint): boolean {
  let rest = amount
  while (rest > 0n && rest % 10n === 0n) rest /= 10n
  return rest < 10n ** ROUND_DIGITS
}

/** The round amounts that quotes suggest, in tenths (decision 62). */
const SERIES: ReadonlySet<bigint> = new Set([10n, 15n, 20n, 25n, 30n, 40n, 50n, 60n, 75n])

/** The exponent of the greatest power of ten that is at most the amount; 0 for an amount of 0. */
export const powerOfTen = (amount: bigint): number => `${amount}`.length - 1

/** True if an amount is 1, 1.5, 2, 2.5, 3, 4, 5, 6 or 7.5 times a power of ten. */
export function inSeries(amount: bigint): boolean {
  const unit = 10n ** BigInt(powerOfTen(amount))
  return (amount * 10n) % unit === 0n && SERIES.has((amount * 10n) / unit)
}

/** Learns from the other settlements of the asset how common each gross amount is. */
export function amountModel(settlements: readonly SeenSettlement[]): AmountModel {
  const counts = new Map<string, number>()
  const totals = new Map<string, number>()
  const keyOf = (one: SeenSettlement): string => `${one.asset} ${grossOf(one)}`
  for (const one of settlements) {
    if (one.isRefund) continue
    counts.set(keyOf(one), (counts.get(keyOf(one)) ?? 0) + 1)
    totals.set(one.asset, (totals.get(one.asset) ?? 0) + 1)
  }
  return {
    logChance: (one) => {
      const others = (counts.get(keyOf(one)) ?? 1) - 1
      const unseen = isRound(one.payout) || isRound(grossOf(one)) ? ROUND_UNSEEN : ODD_UNSEEN
      return Math.log((others + unseen) / (totals.get(one.asset) ?? 1))
    },
  }
}

/** The classes of deposits. Each class has its own chance of being a top-up. */
export const DEPOSIT_CLASSES = ['swap', 'round', 'odd'] as const
export type DepositClass = (typeof DEPOSIT_CLASSES)[number]

/** The prior of each class: the assumed numbers of top-ups and of transfers at the start. */
export const PRIOR_KINDS: Readonly<Record<DepositClass, readonly [number, number]>> = {
  swap: [0.1, 5],
  round: [1, 1],
  odd: [0.5, 2],
}

/** Returns a deposit's class. A top-up usually has a round amount that a person typed. It is never a swap. */
export function classOf({ sourceAsset, asset, value, amountIn }: SeenDeposit): DepositClass {
  if (sourceAsset !== asset) return 'swap'
  return isRound(value) || isRound(amountIn) ? 'round' : 'odd'
}
