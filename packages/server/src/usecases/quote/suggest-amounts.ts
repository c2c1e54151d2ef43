import type { Address } from '@sotto/protocol'
import { leastGross, payoutOf, type SettleTariff } from '../../domain/fees.ts'
import type { Market } from '../market/market.ts'

const SUGGESTIONS = 3

/**
 * Suggests delivered amounts whose notes have a more common value among recent transfers, the most common first. An
 * amount is suggested only if a request for exactly that amount results in that value again.
 */
export function suggestAmounts(
  { anonymitySets }: Market,
  mint: Address,
  value: bigint,
  tariff: SettleTariff,
  amountMax: bigint,
): string[] {
  const own = anonymitySets.alike(mint, value, Infinity)
  const suggested: string[] = []
  for (const set of anonymitySets.of(mint)) {
    if (set.deposits <= own || suggested.length === SUGGESTIONS) break
    const out = payoutOf(set.value, tariff)
    const isPayable = out > 0n && out <= amountMax
    if (isPayable && leastGross(out, tariff) === set.value) suggested.push(`${out}`)
  }
  return suggested
}
