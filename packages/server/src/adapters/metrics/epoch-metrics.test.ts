import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { EPOCH_MS, topUpEpochOf } from '../../domain/epoch.ts'
import { systemClock } from '../clock/system-clock.ts'
import { epochMetrics } from './epoch-metrics.ts'

const NOW_EPOCH = 500_000

/** Returns the metrics for keys of transfers and keys of top-ups. The parameters are the keys' ages in hours. */
async function shown(
  transfers: readonly number[],
  topUps: readonly number[],
): Promise<Record<string, number>> {
  const registry = new Registry()
  const epochs = [
    ...transfers.map((age) => NOW_EPOCH - age),
    ...topUps.map((age) => topUpEpochOf(NOW_EPOCH - age)),
  ]
  const clock = { nowMs: () => NOW_EPOCH * EPOCH_MS, sleep: systemClock.sleep }
  epochMetrics(registry, { list: async () => epochs }, clock)
  const metrics = await registry.getMetricsAsJSON()
  const values = metrics.map(({ name, values: [first] }) => [name, first?.value])
  return Object.fromEntries(values) as Record<string, number>
}

it('measures the age of the oldest key of transfers without the keys of top-ups', async () => {
  const hours = { sotto_epoch_keys: 3, sotto_oldest_epoch_key_hours: 700 }
  const metrics = await shown([40, 2], [700])
  expect(metrics).toMatchObject({ ...hours, sotto_oldest_transfer_key_hours: 40 })
  const overdue = await shown([97, 2], [700])
  expect(overdue).toMatchObject({ ...hours, sotto_oldest_transfer_key_hours: 97 })
  expect((await shown([], [700]))['sotto_oldest_transfer_key_hours']).toBe(0)
})
