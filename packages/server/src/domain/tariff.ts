import { amount, rentMinimum, sumOf, U64_MAX, type Amount, type PriceStep } from '@sotto/protocol'
import type { Ratio } from './fees.ts'
import { settlementPriority } from './settlement-cost.ts'

/** Minimum time between two changes of a tariff, in milliseconds. Frequent changes would split the anonymity set. */
export const TARIFF_MIN_AGE_MS = 3_600_000

/** The cost of a delivery's signature, plus the delivery's share of the transaction that later closes nullifiers. */
const SETTLE_LAMPORTS = 6_000n
/**
 * A tariff pays for this number of signatures, because an attempt that fails in a block costs its signature too. The
 * tariff pays for only one priority fee. A second priority fee is due only if the payee made an attempt fail. If the
 * tariff paid for three priority fees, every sender's network fee would be almost three times as high at the highest
 * price. So the operator pays further priority fees, up to the limit on the cost of an order's attempts.
 */
const ATTEMPTS = 3n
const TOKEN_ACCOUNT_BYTES = 165n
/**
 * Size of an associated token account of Token-2022. Its immutable-owner extension makes it five bytes larger than an
 * SPL Token account.
 */
const TOKEN_2022_ACCOUNT_BYTES = 170n

/** The service's cost in lamports of a delivery to an existing account, and of a delivery that creates the account. */
export interface DeliveryCost {
  readonly exists: Amount
  readonly created: Amount
}

/** The network fees of an asset, in its base units. */
export interface Tariff {
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
}

/**
 * The cost of a delivery in an asset of this kind. `step` is the current price step, and `lamportsPerByte` is the
 * cluster's rent. An attempt costs money only if a block contains it. After a dead attempt, the delivery's next attempt
 * offers a higher price. So the cost covers the signatures of `ATTEMPTS` attempts, and one priority fee at the next
 * higher step.
 */
export function deliveryCost(
  kind: 'native' | 'token' | 'token2022',
  step: PriceStep,
  lamportsPerByte: bigint,
): DeliveryCost {
  const exists = amount(SETTLE_LAMPORTS * ATTEMPTS + settlementPriority(step + 1))
  if (kind === 'native') return { exists, created: exists }
  const bytes = kind === 'token' ? TOKEN_ACCOUNT_BYTES : TOKEN_2022_ACCOUNT_BYTES
  return { exists, created: sumOf([exists, rentMinimum(lamportsPerByte, bytes)]) }
}

/** The smallest round figure that is at least `value`. Round figures are the powers of ten times 1, 2 or 5. */
export function roundFigure(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    for (const digit of [1n, 2n, 5n]) if (digit * power >= value) return digit * power
  }
}

/**
 * The tariff that covers a cost, in round figures. `rate` converts lamports to base units of the asset. The tariff
 * rises as soon as it no longer covers the cost. It falls only if the lower figure would also cover a cost that is a
 * quarter higher. So it doesn't change back and forth while the exact cost is near a round figure.
 */
export function nextTariff(current: Tariff, cost: DeliveryCost, rate: Ratio): Tariff {
  const step = (now: Amount, lamports: Amount) => {
    const exact = (lamports * rate.numerator + rate.denominator - 1n) / rate.denominator
    const next = roundFigure(exact)
    if (next > U64_MAX) return now
    const lower = roundFigure(exact + (exact + 3n) / 4n)
    if (lower < now) return amount(lower)
    return next > now ? amount(next) : now
  }
  return {
    networkFeeExists: step(current.networkFeeExists, cost.exists),
    networkFeeCreated: step(current.networkFeeCreated, cost.created),
  }
}
