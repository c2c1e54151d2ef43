import type { ServiceLog } from '../ports/service-log.ts'
import { refreshTariffs, type TariffDependencies } from '../usecases/market/refresh-tariffs.ts'

/**
 * Pause between two rounds, in milliseconds. It is much shorter than an hour, and a tariff changes at most once an
 * hour.
 */
const EVERY_MS = 60_000

/** Updates the tariffs repeatedly until aborted. A failed round is repeated. */
export async function runTariffs(
  d: TariffDependencies & { readonly log: ServiceLog },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await refreshTariffs(d).then(
      (changes) => changes > 0 && d.log.event('tariffs_changed'),
      (error: unknown) => d.log.failed('tariffs', error),
    )
    await d.clock.sleep(EVERY_MS, signal)
  }
}
