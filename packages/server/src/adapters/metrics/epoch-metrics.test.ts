import { Registry } from 'prom-client'
import { expect, it } from 'vitest'
import { EPOCH_MS } from '../../domain/epoch.ts'
import { epochMetrics } from './epoch-metrics.ts'

const NOW_EPOCH = 500_000

/**
 * Returns the metrics for keys of the given ages, in hours. `balances` contains the ages of the keys that seal a
 * balance.
 */
async function shown(
  ages: readonly number[],
  balances: readonly number[] | 'unknown',
): Promise<Record<string, number>> {
  const registry = new Registry()
  const epochOf = (age: number) => NOW_EPOCH - age
  const readBalanceEpochs = async () => {
    if (balances === 'unknown') throw new Error('the database is down')
    return new Set(balances.map(epochOf))
  }
  const secrets = { list: async () => ages.map(epochOf) }
  const clock = { nowMs: () => NOW_EPOCH * EPOCH_MS, sleep: async () => undefined }
  epochMetrics(registry, secrets, readBalanceEpochs, clock)
  const metrics = await registry.getMetricsAsJSON()
  const values = metrics.map(({ name, values: [first] }) => [name, first?.value])
  return Object.fromEntries(values) as Record<string, number>
}

it('a key that an open balance holds does not count as a key of transfers that is too old', async () => {
  const hours = { sotto_epoch_keys: 3, sotto_oldest_epoch_key_hours: 700 }
  const metrics = await shown([700, 40, 2], [700])
  expect(metrics).toMatchObject({ ...hours, sotto_oldest_transfer_key_hours: 40 })
  const overdue = await shown([700, 97, 2], [700])
  expect(overdue).toMatchObject({ ...hours, sotto_oldest_transfer_key_hours: 97 })
  expect((await shown([700], [700]))['sotto_oldest_transfer_key_hours']).toBe(0)
})

it('while the database does not say which keys seal balances, no key counts as too old', async () => {
  expect((await shown([700, 40], 'unknown'))['sotto_oldest_transfer_key_hours']).toBeUndefined()
})
