import type { Address } from '@solana/kit'

/** The rate in `amountOut = floor(amount * numerator / denominator)`. Each amount is in base units of its own asset. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
  /** The time when the source observed the price, in milliseconds since 1970. */
  readonly asOfMs: number
}

/**
 * Prices without spread, for a pool that receives the source asset and pays the destination asset. If a price source
 * gives an interval, the rate is the end of the interval at which the pool pays least. The rate is undefined if no
 * price is recent enough. No quote can be made then.
 */
export interface Prices {
  readonly readRate: (source: Address, destination: Address) => Promise<Rate | undefined>
}
