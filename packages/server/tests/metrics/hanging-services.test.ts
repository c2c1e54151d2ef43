import { address, type Address } from '@solana/kit'
import { createServer, type AddressInfo, type Server } from 'node:net'
import { Registry } from 'prom-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readInventories } from '../../src/adapters/chain/transfer/read-inventories.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openVaultSecrets } from '../../src/adapters/keystore/vault-secrets.ts'
import { databaseMetrics } from '../../src/adapters/metrics/database-metrics.ts'
import { epochMetrics } from '../../src/adapters/metrics/epoch-metrics.ts'
import { inventoryMetrics } from '../../src/adapters/metrics/inventory-metrics.ts'
import { serveMetrics } from '../../src/adapters/metrics/serve-metrics.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { openKvStore } from '../../src/adapters/vault/kv-store.ts'
import { openVault } from '../../src/adapters/vault/vault-client.ts'
import type { Config } from '../../src/config.ts'
import { openNodes } from '../../src/start/open-rpc.ts'
import { runwayReader } from '../../src/usecases/market/read-runways.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { startRelay } from '../store/relay.ts'

/** Prometheus gives up a scrape after ten seconds. */
const SCRAPE_MS = 10_000
const SCRAPES = 3
const SOL: Address = address('So11111111111111111111111111111111111111112')
const PROGRAM: Address = address('Sotto11111111111111111111111111111111111111')

/** A server that accepts connections and never answers. */
let silent: Server
let silentUrl: string
let postgres: SharedPostgres
beforeAll(async () => {
  silent = createServer((socket) => socket.on('error', () => undefined))
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
  silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  postgres = await sharedPostgres()
})
afterAll(async () => {
  silent.close()
  await postgres.stop()
})

/** Scrapes a process several times. Returns the milliseconds that each scrape took, and the last text. */
async function scrape(registry: Registry): Promise<{ took: number[]; text: string }> {
  const source = {
    ...{ registry, isReady: () => true, operatorToken: 'x', readRunways: () => [] },
    ...{ settlement: () => undefined, alerts: () => new Map<string, number>() },
  }
  const server = await serveMetrics(source, '127.0.0.1', 0)
  const { port } = server.address() as AddressInfo
  const took: number[] = []
  let text = ''
  for (let index = 0; index < SCRAPES; index += 1) {
    const startMs = performance.now()
    const signal = AbortSignal.timeout(SCRAPE_MS)
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal })
    text = await response.text()
    took.push(performance.now() - startMs)
  }
  await new Promise((resolve) => server.close(resolve))
  return { took, text }
}

it('a node that hangs does not delay a scrape for long', async () => {
  const config = { RPC_URL: silentUrl, RPC_URLS: [], RPC_LAG_SLOTS: 20 } as unknown as Config
  const { rpc } = openNodes(config)
  const record = { symbol: 'SOL', mint: SOL, isSwappable: true, reserved: 0n, lately: {} }
  const store = { readInventories: async () => [record as never] }
  const registry = new Registry()
  const read = (mints: readonly Address[]) => readInventories(rpc, PROGRAM, mints)
  inventoryMetrics(registry, runwayReader({ store, readInventories: read, clock: systemClock }))
  const { took, text } = await scrape(registry)
  expect(took[0]).toBeLessThan(3_000)
  // Only the first scrape waits for the node.
  for (const ms of took.slice(1)) expect(ms).toBeLessThan(1_000)
  expect(text).not.toContain('sotto_inventory_dry_hours{')
})

it('a Vault that hangs does not delay a scrape for long', async () => {
  const vault = openVault({ url: silentUrl, token: async () => 'hvs.token', clock: systemClock })
  const store = openKvStore(vault, 'secret', 'sotto/test')
  const registry = new Registry()
  epochMetrics(registry, openVaultSecrets(store, systemRandom, systemClock), systemClock)
  const { took, text } = await scrape(registry)
  expect(took[0]).toBeLessThan(3_000)
  for (const ms of took.slice(1)) expect(ms).toBeLessThan(1_000)
  expect(text).not.toMatch(/^sotto_epoch_keys \d/m)
})

it('a database that hangs is reported in time', async () => {
  const relay = await startRelay(await postgres.createMigrated())
  const database = openPostgres(relay.url)
  const registry = new Registry()
  databaseMetrics(registry, database, systemClock)
  expect(await registry.metrics()).toMatch(/^sotto_database_up 1$/m)
  relay.silence()
  await new Promise((resolve) => setTimeout(resolve, 5_100))
  const { took, text } = await scrape(registry)
  expect(Math.max(...took)).toBeLessThan(6_000)
  expect(text).toMatch(/^sotto_database_up 0$/m)
  expect(text).toMatch(/^sotto_database_connections\{state="busy"\} 1$/m)
  relay.cut()
  await database.close()
  await relay.stop()
})
