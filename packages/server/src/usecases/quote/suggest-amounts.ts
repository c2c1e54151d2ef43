import type { Address } from '@sotto/protocol'
import { leastGross, payoutOf, type SettleTariff } from '../../domain/fees.ts'
import type { Market } from '../market/market.ts'

const SUGGESTIONS = 3

/**
 * Delivered amounts whose notes have the same value as more of the recent transfers than one of this value, the most
 * common first. Only amounts that a request for exactly so much turns into that value again.
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
