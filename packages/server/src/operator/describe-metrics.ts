import type { Registry } from 'prom-client'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { databaseMetrics } from '../adapters/metrics/database-metrics.ts'
import { epochMetrics } from '../adapters/metrics/epoch-metrics.ts'
import { marketMetrics } from '../adapters/metrics/market-metrics.ts'
import type { Database } from '../adapters/store/sql.ts'
import { readConfig } from '../config.ts'
import { openObservation } from './open-observation.ts'

/** A metric as it is registered. */
interface Described {
  readonly name: string
  readonly help: string
  readonly type: string
  readonly labels: readonly string[]
}

interface Registered {
  readonly labelNames: readonly string[]
  readonly get: () => Promise<Omit<Described, 'labels'>>
}

/** Where nothing is asked of anybody: only what is registered counts. */
const silentDatabase = { query: async () => [] } as unknown as Database

/** Every metric of a process in both roles, by the code that registers them when it serves. */
export async function describeMetrics(): Promise<Described[]> {
  const config = readConfig({
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: 'http://127.0.0.1:8899',
    SOTTO_PROGRAM_ID: 'Sotto11111111111111111111111111111111111111',
    SOTTO_LOG_LEVEL: 'silent',
  })
  const { registry, rpcObserver } = await openObservation(config, config.ROLE)
  rpcObserver.watch(() => [])
  databaseMetrics(registry, silentDatabase, systemClock)
  marketMetrics(registry, () => undefined)
  epochMetrics(registry, { list: async () => [] }, systemClock)
  return describe(registry)
}

async function describe(registry: Registry): Promise<Described[]> {
  const all = registry.getMetricsAsArray() as unknown as readonly Registered[]
  const described = all.map(async (one) => {
    const { name, help, type } = await one.get()
    return { name, help, type, labels: one.labelNames }
  })
  return (await Promise.all(described)).sort((left, right) => (left.name < right.name ? -1 : 1))
}

const HEAD = `<!-- Written by packages/server/src/operator/generate-metrics.ts. -->

# Metrics

What \`/metrics\` shows on \`SOTTO_METRICS_PORT\`, for Prometheus. No label holds an address, an amount, a key or an id,
and no node's URL: nodes and relayers are numbered by their places in the settings. What is done with them stands in
[observation.md](observation.md).

| Metric | Type | Labels | What it says |
| --- | --- | --- | --- |
`

/** The page of them. */
export async function metricsPage(): Promise<string> {
  const rows = (await describeMetrics()).map(({ name, help, type, labels }) => {
    const shown = labels.map((label) => `\`${label}\``).join(', ')
    return `| \`${name}\` | ${type} | ${shown} | ${help} |`
  })
  return `${HEAD}${rows.join('\n')}\n`
}
