import { NATIVE_MINT, type Address, type Amount, type PriceStep } from '@sotto/protocol'
import { SAME_ASSET, type Ratio } from '../../domain/fees.ts'
import { deliveryCost, nextTariff, TARIFF_MIN_AGE_MS, type Tariff } from '../../domain/tariff.ts'
import type { Chain, PoolFacts } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Prices } from '../../ports/prices.ts'
import type { AutomaticTariff, TariffStore } from '../../ports/tariff-store.ts'

export interface TariffDependencies {
  readonly clock: Clock
  readonly prices: Prices
  readonly tariffs: TariffStore
  /** The step of the priority fee that transactions offer. */
  readonly priceStep: () => PriceStep
  readonly chain: Pick<Chain, 'readPool'>
  /** The tariffs that the last round computed from the costs that it read. Initially empty. */
  readonly lastReadings: Map<Address, Tariff>
}

/**
 * Updates the tariffs that follow costs, each at most once an hour. A single answer of a node or a price source may be
 * false. So a tariff changes only if the readings of two rounds in a row support the change. An asset without a price
 * keeps its tariff. Issued quotes keep their fees. Returns the number of changed tariffs.
 *
 * @throws the error of an asset whose price can't be read, after the other assets' tariffs are updated.
 */
export async function refreshTariffs(d: TariffDependencies): Promise<number> {
  const nowMs = d.clock.nowMs()
  const changedBeforeMs = nowMs - TARIFF_MIN_AGE_MS
  let changes = 0
  const failures: unknown[] = []
  const last = new Map(d.lastReadings)
  d.lastReadings.clear()
  await d.tariffs.correctDates(nowMs)
  const due = await d.tariffs.listDue(changedBeforeMs)
  const pool = due.length === 0 ? undefined : await d.chain.readPool()
  if (pool === undefined) return 0
  for (const asset of due) {
    const { mint } = asset
    const reading = await read(d, asset, pool).catch((error: unknown) => void failures.push(error))
    if (reading === undefined) continue
    d.lastReadings.set(mint, reading)
    const next = supported(asset, last.get(mint), reading)
    const isSame =
      next.networkFeeExists === asset.networkFeeExists &&
      next.networkFeeCreated === asset.networkFeeCreated
    if (!isSame && (await d.tariffs.trySet(mint, next, changedBeforeMs, nowMs))) changes += 1
  }
  if (failures.length > 0) throw failures[0]
  return changes
}

/** The tariff that follows from the present cost of a delivery. Undefined for an asset without a price. */
async function read(
  d: TariffDependencies,
  { mint, kind, ...current }: AutomaticTariff,
  { lamportsPerByte }: Pick<PoolFacts, 'lamportsPerByte'>,
): Promise<Tariff | undefined> {
  const rate = mint === NATIVE_MINT ? SAME_ASSET : await lamportsIn(d.prices, mint)
  if (rate === undefined) return undefined
  return nextTariff(current, deliveryCost(kind, d.priceStep(), lamportsPerByte), rate)
}

/**
 * The tariff that both readings support. If the fees of both readings are higher than the present fee, or both are
 * lower, the result has the fee that is nearer to the present fee. So the readings needn't be equal. In all other
 * cases, the result has the present fee.
 */
function supported(now: Tariff, last: Tariff | undefined, reading: Tariff): Tariff {
  const nearer = (fee: Amount, one: Amount, other: Amount): Amount => {
    if (one > fee && other > fee) return one < other ? one : other
    if (one < fee && other < fee) return one > other ? one : other
    return fee
  }
  if (last === undefined) return now
  const { networkFeeExists, networkFeeCreated } = now
  return {
    networkFeeExists: nearer(networkFeeExists, last.networkFeeExists, reading.networkFeeExists),
    networkFeeCreated: nearer(networkFeeCreated, last.networkFeeCreated, reading.networkFeeCreated),
  }
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
