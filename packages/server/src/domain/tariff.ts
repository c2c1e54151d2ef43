import { amount, U64_MAX, type Amount } from '@sotto/protocol'
import type { Ratio } from './fees.ts'
import { rentMinimum } from './rent.ts'

/** A tariff changes no more often: a figure that moves with the market divides the anonymity set. */
export const TARIFF_MIN_AGE_MS = 3_600_000

/** A delivery's signature, and its part of the batch that closes its nullifier. */
const SETTLE_LAMPORTS = 6_000n
/** Attempts that a tariff pays for: blockhashes die and fees rise. */
const ATTEMPTS = 3n
const TOKEN_ACCOUNT_BYTES = 165n
/** Token-2022's associated accounts are made with an immutable owner, which takes five bytes more. */
const TOKEN_2022_ACCOUNT_BYTES = 170n

/** What a delivery costs the service, in lamports. */
export interface DeliveryCost {
  readonly exists: bigint
  readonly created: bigint
}

/** The network fees of an asset, in its base units. */
export interface Tariff {
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
}

/** What a delivery of this kind of asset costs, with a priority fee in lamports per attempt. */
export function deliveryCost(
  kind: 'native' | 'token' | 'token2022',
  priorityLamports: bigint,
): DeliveryCost {
  const exists = (SETTLE_LAMPORTS + priorityLamports) * ATTEMPTS
  if (kind === 'native') return { exists, created: exists }
  const bytes = kind === 'token' ? TOKEN_ACCOUNT_BYTES : TOKEN_2022_ACCOUNT_BYTES
  return { exists, created: exists + rentMinimum(bytes) }
}

/** The least figure not below a value among 1, 2 and 5 times the powers of ten. */
export function roundFigure(value: bigint): bigint {
  for (let power = 1n; ; power *= 10n) {
    for (const digit of [1n, 2n, 5n]) if (digit * power >= value) return digit * power
  }
}

/**
 * The tariff that covers a cost at a rate (lamports to base units of the asset), in round figures. It
 * rises as soon as it no longer covers the cost and falls only when a quarter more would still fit
 * under the lower figure, so that a price at the edge of a figure doesn't move it to and fro.
 */
export function nextTariff(current: Tariff, cost: DeliveryCost, rate: Ratio): Tariff {
  const step = (now: Amount, lamports: bigint) => {
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
