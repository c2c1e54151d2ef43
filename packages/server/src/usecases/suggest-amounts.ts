import type { Address } from '@sotto/protocol'
import type { Market } from './market.ts'

const SUGGESTIONS = 3

/** Delivered amounts that more recent transfers share, the most common first. */
export function suggestAmounts(
  market: Market,
  mint: Address,
  amountOut: bigint,
  amountMax: bigint,
): string[] {
  const own = market.crowds.find(
    (crowd) => crowd.destinationMint === mint && crowd.amountOut === amountOut,
  )
  return market.crowds
    .filter(
      (crowd) =>
        crowd.destinationMint === mint &&
        crowd.amountOut !== amountOut &&
        crowd.amountOut <= amountMax &&
        crowd.deposits > (own?.deposits ?? 0),
    )
    .slice(0, SUGGESTIONS)
    .map((crowd) => `${crowd.amountOut}`)
}
