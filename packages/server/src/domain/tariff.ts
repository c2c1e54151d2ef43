import { amount, sumOf, U64_MAX, type Amount, type PriceStep } from '@sotto/protocol'
import type { Ratio } from './fees.ts'
import { rentMinimum } from './rent.ts'
import { settlementPriority } from './settlement-cost.ts'

/** Least time between two changes of a tariff. Frequent changes would split the anonymity set. */
export const TARIFF_MIN_AGE_MS = 3_600_000

/** The cost of a delivery's signature, plus its share of the transaction that later closes nullifiers. */
const SETTLE_LAMPORTS = 6_000n
/**
 * Number of signatures that a tariff pays for, because an attempt may fail in a block. The tariff pays for only one
 * priority fee. A second fee is due only if the payee made an attempt fail. If the tariff paid for it, all senders
 * would pay three times as much at the highest price. So the operator pays it, up to the limit of what an order's
 * attempts may cost.
 */
const ATTEMPTS = 3n
const TOKEN_ACCOUNT_BYTES = 165n
/**
 * Size of an associated account of Token-2022. Its immutable-owner extension takes five bytes more than an SPL Token
 * account.
 */
const TOKEN_2022_ACCOUNT_BYTES = 170n

/** The service's cost of a delivery, in lamports. */
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
 * The cost of a delivery of this kind of asset. `step` is the present price step, and `lamportsPerByte` the cluster's
 * rent. An attempt costs money only if it is in a block. A delivery whose attempt dies offers more for the next one. So
 * the cost covers one landed attempt at the next step.
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

/** The smallest round figure that isn't below a value. Round figures are 1, 2 and 5 times the powers of ten. */
export function roundFigure(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    for (const digit of [1n, 2n, 5n]) if (digit * power >= value) return digit * power
  }
}

/**
 * The tariff that covers a cost at a rate (lamports to base units of the asset), in round figures. The tariff rises as
 * soon as it doesn't cover the cost any more. It falls only if the lower figure would also cover a cost that is a
 * quarter higher. So the tariff doesn't alternate if the price is near a figure's limit.
 */
export function nextTariff(current: Tariff, cost: DeliveryCost, rate: Ratio): Tariff {
  const step = (now: Amount, lamports: Amount) => {
    const exact = (lamports * rate.numerator + rate.denominator - 1n) / rate.denominator
    const next = roundFigure(exact)
    if (next > U64_MAX) return now
    const isWorthLowering = roundFigure(exact + exact / 4n) < now
    return next > now || isWorthLowering ? amount(next) : now
  }
  return {
    networkFeeExists: step(current.networkFeeExists, cost.exists),
    networkFeeCreated: step(current.networkFeeCreated, cost.created),
  }
}
