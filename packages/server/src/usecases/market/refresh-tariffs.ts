import { NATIVE_MINT, type Address, type PriceStep } from '@sotto/protocol'
import { SAME_ASSET, type Ratio } from '../../domain/fees.ts'
import { deliveryCost, nextTariff, TARIFF_MIN_AGE_MS } from '../../domain/tariff.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Prices } from '../../ports/prices.ts'
import type { TariffStore } from '../../ports/tariff-store.ts'

export interface TariffDependencies {
  readonly clock: Clock
  readonly prices: Prices
  readonly tariffs: TariffStore
  /** The step of the priority fee that transactions offer. */
  readonly priceStep: () => PriceStep
  readonly chain: Pick<Chain, 'readPool'>
}

/**
 * Updates the tariffs that follow costs, each at most once an hour. An asset without a price keeps its tariff. Issued
 * quotes keep their fees. Returns the number of changed tariffs.
 */
export async function refreshTariffs(d: TariffDependencies): Promise<number> {
  const nowMs = d.clock.nowMs()
  const changedBeforeMs = nowMs - TARIFF_MIN_AGE_MS
  let changes = 0
  const due = await d.tariffs.listDue(changedBeforeMs)
  const pool = due.length === 0 ? undefined : await d.chain.readPool()
  if (pool === undefined) return 0
  for (const { mint, kind, ...current } of due) {
    const rate = mint === NATIVE_MINT ? SAME_ASSET : await lamportsIn(d.prices, mint)
    if (rate === undefined) continue
    const cost = deliveryCost(kind, d.priceStep(), pool.lamportsPerByte)
    const next = nextTariff(current, cost, rate)
    const isSame =
      next.networkFeeExists === current.networkFeeExists &&
      next.networkFeeCreated === current.networkFeeCreated
    if (!isSame && (await d.tariffs.trySet(mint, next, changedBeforeMs, nowMs))) changes += 1
  }
  return changes
}

/**
 * The base units of an asset that are worth one lamport. The service collects fees in the asset and spends lamports.
 * Therefore the rate is read in the direction from the asset to lamports. If a price is uncertain, the bound that is
 * worse for the service is used.
 */
async function lamportsIn(prices: Prices, mint: Address): Promise<Ratio | undefined> {
  const rate = await prices.readRate(mint, NATIVE_MINT)
  return rate && { numerator: rate.denominator, denominator: rate.numerator }
}
