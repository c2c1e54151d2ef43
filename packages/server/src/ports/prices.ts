import type { Address } from '@solana/kit'

/** `amountOut = floor(amount * numerator / denominator)` with each amount in base units of its own asset. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
  /** The time when the source observed the price, milliseconds since 1970. */
  readonly asOfMs: number
}

/**
 * Prices without spread, for a pool that takes in the source asset and pays out the destination asset. If a price
 * source gives an interval, the rate is the end at which the pool pays least. Undefined if no price is recent enough;
 * then no quote can be made.
 */
export interface Prices {
  readonly readRate: (source: Address, destination: Address) => Promise<Rate | undefined>
}
