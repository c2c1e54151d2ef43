import type { ServiceLog } from '../ports/service-log.ts'
import { refreshTariffs, type TariffDependencies } from '../usecases/market/refresh-tariffs.ts'

/** Pause between two rounds: much shorter than the hour in which a tariff may change only once. */
const EVERY_MS = 60_000

/** Updates the tariffs repeatedly until aborted. After a failure it tries again. */
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
