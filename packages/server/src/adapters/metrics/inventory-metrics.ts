import { Gauge, type Registry } from 'prom-client'
import type { Runway } from '../../ports/inventory-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'

/**
 * Registers the hours for which each inventory lasts. If `readRunways` fails, the gauge is omitted. `readRunways` must
 * not wait for a node for long, because Prometheus would discard the whole scrape.
 */
export function inventoryMetrics(
  registry: Registry,
  readRunways: () => MaybePromise<readonly Runway[]>,
): void {
  new Gauge({
    name: 'sotto_inventory_dry_hours',
    help: 'Hours until swaps have used up an inventory, rounded down to 0, 1, 3, 6, 12, 24, 48, 96, 168, 336 or 720; also 720 if the inventory does not shrink. The time is computed at the net rate of the last 24 hours. If the net rate of the last hour gives less than 12 hours, the shorter of the two times is reported. Reservations of unpaid swaps count as used, rounded down to whole quarters of the inventory.',
    labelNames: ['asset'],
    registers: [registry],
    async collect() {
      const runways = await Promise.resolve()
        .then(readRunways)
        .catch(() => [])
      this.reset()
      // If two assets have the same symbol, the gauge shows the shorter time.
      for (const { symbol, hours } of [...runways].sort((one, other) => other.hours - one.hours)) {
        this.set({ asset: symbol }, hours)
      }
    },
  })
}
