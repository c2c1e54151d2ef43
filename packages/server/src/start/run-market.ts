import type { Clock } from '../ports/clock.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import type { MarketView } from '../usecases/market/market.ts'

/**
 * Pause between two reads, in milliseconds. It is much shorter than the age at which the data is too old for a quote.
 */
const EVERY_MS = 2_000

/** Reads the pool and the database repeatedly until aborted. A failed read is repeated. */
export async function runMarket(
  market: MarketView,
  d: { readonly clock: Clock; readonly log: ServiceLog },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await d.clock.sleep(EVERY_MS, signal)
    if (signal.aborted) return
    await market.refresh().catch((error: unknown) => d.log.failed('market', error))
  }
}
