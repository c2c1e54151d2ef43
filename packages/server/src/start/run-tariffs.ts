import type { ServiceLog } from '../ports/service-log.ts'
import { refreshTariffs, type TariffDependencies } from '../usecases/market/refresh-tariffs.ts'

/** Well under the hour within which a tariff may change once. */
const EVERY_MS = 60_000

/** Updates the tariffs repeatedly until aborted; a failure is tried again. */
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
