import type { Address } from '@sotto/protocol'
import type { Market } from '../market/market.ts'

const SUGGESTIONS = 3

/** Delivered amounts that more of the recent transfers share, the most common first, without duplicates. */
export function suggestAmounts(
  { anonymitySets }: Market,
  mint: Address,
  amountOut: bigint,
  amountMax: bigint,
): string[] {
  const own = anonymitySets.ofAmount(mint, amountOut)
  const suggested: string[] = []
  for (const set of anonymitySets.of(mint)) {
    if (set.deposits <= own || suggested.length === SUGGESTIONS) break
    const isPayable = set.amountOut !== amountOut && set.amountOut <= amountMax
    const text = `${set.amountOut}`
    if (isPayable && !suggested.includes(text)) suggested.push(text)
  }
  return suggested
}
