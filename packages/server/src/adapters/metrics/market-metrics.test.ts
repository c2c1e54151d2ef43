import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { systemClock } from '../clock/system-clock.ts'
import { marketMetrics } from './market-metrics.ts'

const TAKEN_MS = 1_760_000_000_000
const OPEN = { takenAtMs: TAKEN_MS, isPaused: false, isLiquid: true, followFault: undefined }

/** Returns the two gauges, some time after the process has read the chain and the database. */
async function shown(
  ageMs: number,
  snapshot: Parameters<typeof marketMetrics>[1] = () => OPEN,
): Promise<Record<string, unknown>> {
  const registry = new Registry()
  const clock = { nowMs: () => TAKEN_MS + ageMs, sleep: systemClock.sleep }
  marketMetrics(registry, snapshot, clock)
  const metrics = await registry.getMetricsAsJSON()
  return Object.fromEntries(metrics.map(({ name, values: [first] }) => [name, first?.value]))
}

it('the metric shows new orders as open while the snapshot is recent', async () => {
  const time = { sotto_market_timestamp_seconds: TAKEN_MS / 1_000 }
  expect(await shown(0)).toEqual({ sotto_new_orders_open: 1, ...time })
  expect(await shown(29_999)).toEqual({ sotto_new_orders_open: 1, ...time })
})

it('the metric does not show new orders as open if the snapshot is old, or of a future time', async () => {
  const time = { sotto_market_timestamp_seconds: TAKEN_MS / 1_000 }
  expect(await shown(30_000)).toEqual({ sotto_new_orders_open: 0, ...time })
  expect(await shown(-30_000)).toEqual({ sotto_new_orders_open: 0, ...time })
})

it('the metric does not show new orders as open while the service refuses them', async () => {
  for (const fault of [{ isPaused: true }, { isLiquid: false }, { followFault: 'not_followed' }]) {
    const snapshot = { ...OPEN, ...fault }
    expect(await shown(0, () => snapshot)).toMatchObject({ sotto_new_orders_open: 0 })
  }
  expect(await shown(0, () => undefined)).toMatchObject({ sotto_new_orders_open: 0 })
})
