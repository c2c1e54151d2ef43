import { mkdtemp, stat } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Gauge, Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { readOperatorToken } from '../../src/adapters/keystore/operator-token.ts'
import { withMetrics } from '../../src/adapters/metrics/prom-metrics.ts'
import { serveMetrics } from '../../src/adapters/metrics/serve-metrics.ts'
import { settlementGauges } from '../../src/adapters/metrics/settlement-gauges.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import type { Runway } from '../../src/ports/inventory-store.ts'

const nothing = () => undefined
const { log, registry, alerts } = withMetrics({
  ...{ request: nothing, failed: nothing, event: nothing, alert: nothing },
})
const gauges = settlementGauges(registry)
let runways: readonly Runway[] | undefined = [{ symbol: 'SOL', hours: 12 }]
const readRunways = async () => {
  if (runways === undefined) throw new Error('no node answers')
  return runways
}
const REPORT = {
  balances: [amount(5_000_000_000n), amount(18_446_744_073_709_551_615n)],
  affordableOf: [1n, 11n],
  affordable: 12n,
  isLiquid: true,
  unitPrice: 4_096n,
  isPriceAtCeiling: false,
  open: 3,
  payable: 2,
  overdueSeconds: 300,
  lastDeliveryHours: undefined,
}

let folder: string
let token: string
let server: Server
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sotto-operator-'))
  token = await readOperatorToken(folder, systemRandom)
  const isReady = () => gauges.latest() !== undefined
  const status = { settlement: gauges.latest, alerts, readRunways }
  const source = { registry, isReady, operatorToken: token, ...status }
  server = await serveMetrics(source, '127.0.0.1', 0)
})
afterAll(() => new Promise((resolve) => server.close(resolve)))

const ask = (path: string, authorization?: string) => {
  const { port } = server.address() as AddressInfo
  const headers = authorization === undefined ? {} : { authorization }
  return fetch(`http://127.0.0.1:${port}${path}`, { headers })
}

it('the token’s file is readable only by its owner', async () => {
  expect(token).toMatch(/^[0-9a-f]{64}$/)
  expect(await readOperatorToken(folder, systemRandom)).toBe(token)
  expect((await stat(join(folder, 'operator-token'))).mode & 0o777).toBe(0o600)
})

it('no data is shown without the token', async () => {
  for (const authorization of [undefined, token, `Bearer ${token}x`, 'Bearer ']) {
    const refused = await ask('/operator', authorization)
    expect(refused.status).toBe(401)
    expect(await refused.text()).toBe('')
  }
})

it('the operator sees the relayers’ exact balances and the runbooks of alerts', async () => {
  const authorization = `Bearer ${token}`
  expect(await (await ask('/operator', authorization)).json()).toEqual({
    settlement: null,
    inventory: [{ asset: 'SOL', dryHours: 12 }],
    alerts: [],
  })
  gauges.report(REPORT)
  log.alert('relayers_low')
  expect(await (await ask('/operator', authorization)).json()).toEqual({
    settlement: {
      relayers: [
        { index: 0, lamports: '5000000000' },
        { index: 1, lamports: '18446744073709551615' },
      ],
      ...{ affordable: '12', isLiquid: true, open: 3, payable: 2 },
      ...{ unitPrice: '4096', isPriceAtCeiling: false },
      ...{ overdueSeconds: 300, lastDeliveryHours: null },
    },
    inventory: [{ asset: 'SOL', dryHours: 12 }],
    alerts: [{ code: 'relayers_low', count: 1, runbook: 'docs/runbooks/relayers-low.md' }],
  })
})

it('only the inventory is missing if it cannot be read', async () => {
  runways = undefined
  const answer = await ask('/operator', `Bearer ${token}`)
  expect(await answer.json()).toMatchObject({ settlement: { open: 3 }, inventory: null })
})

it('/readyz answers 200 only after the worker’s first report', async () => {
  const { registry: own } = withMetrics(log)
  const { latest, report } = settlementGauges(own)
  const status = { settlement: latest, alerts, readRunways }
  const isReady = () => latest() !== undefined
  const source = { registry: own, isReady, operatorToken: token, ...status }
  const worker = await serveMetrics(source, '127.0.0.1', 0)
  const url = `http://127.0.0.1:${(worker.address() as AddressInfo).port}/readyz`
  const before = await fetch(url)
  expect(before.status).toBe(503)
  expect(await before.json()).toMatchObject({ success: false })
  report(REPORT)
  expect((await fetch(url)).status).toBe(200)
  worker.closeAllConnections()
  worker.close()
})

it('metrics name relayers by their positions', async () => {
  gauges.report({ ...REPORT, balances: [amount(7n)], affordableOf: [3n] })
  gauges.keysDestroyedUntil(7_200_999)
  const text = await (await ask('/metrics')).text()
  expect(text).toContain('sotto_keys_destroyed_until_timestamp_seconds 7200\n')
  expect(text).toContain('sotto_relayer_settlements_affordable{relayer="0"} 3')
  expect(text).not.toContain('relayer="1"')
  expect(text).toContain('sotto_oldest_order_overdue_seconds 300')
  expect(text).toContain('sotto_unit_price_microlamports 4096')
  expect(text).toContain('sotto_unit_price_at_ceiling 0')
  expect(text).toContain('sotto_last_delivery_hours -1')
})

it('a process that does not settle has no metrics of relayers and orders', async () => {
  const { registry: fresh } = withMetrics(log)
  settlementGauges(fresh)
  expect(await fresh.metrics()).not.toMatch(
    /^sotto_(relayers|settlements|open|payable|oldest|keys)/m,
  )
})

it('/livez answers even while a metric waits for the database', async () => {
  const waiting = new Registry()
  const asked = new Promise<void>((resolve) => {
    new Gauge({
      ...{ name: 'waits', help: 'Waits.', registers: [waiting] },
      collect: () => new Promise<void>(() => resolve()),
    })
  })
  const source = {
    registry: waiting,
    isReady: () => true,
    operatorToken: token,
    settlement: gauges.latest,
    alerts,
    readRunways,
  }
  const stuck = await serveMetrics(source, '127.0.0.1', 0)
  const url = `http://127.0.0.1:${(stuck.address() as AddressInfo).port}`
  const metrics = fetch(`${url}/metrics`).catch(() => undefined)
  await asked
  expect((await fetch(`${url}/livez`)).status).toBe(200)
  stuck.closeAllConnections()
  stuck.close()
  await metrics
})
