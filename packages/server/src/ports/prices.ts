import type { Address } from '@solana/kit'

/** `amountOut = floor(amount * numerator / denominator)` in base units of either side. */
export interface Rate {
  readonly numerator: bigint
  readonly denominator: bigint
  /** When the source saw it, milliseconds since 1970. */
  readonly asOfMs: number
}

/**
 * Prices without spread, for the pool that takes in the source and pays out the destination: where a source
 * gives an interval, at its end that pays least. Undefined where there is none fresh enough: no quote then.
 */
export interface Prices {
  readonly readRate: (source: Address, destination: Address) => Promise<Rate | undefined>
}
