import type { Address } from '@sotto/protocol'
import type { Market } from '../market/market.ts'

const SUGGESTIONS = 3

/** Delivered amounts that more recent transfers share, the most common first; each once. */
export function suggestAmounts(
  { crowds }: Market,
  mint: Address,
  amountOut: bigint,
  amountMax: bigint,
): string[] {
  const own = crowds.ofAmount(mint, amountOut)
  const suggested: string[] = []
  for (const crowd of crowds.of(mint)) {
    if (crowd.deposits <= own || suggested.length === SUGGESTIONS) break
    const isPayable = crowd.amountOut !== amountOut && crowd.amountOut <= amountMax
    const text = `${crowd.amountOut}`
    if (isPayable && !suggested.includes(text)) suggested.push(text)
  }
  return suggested
}
