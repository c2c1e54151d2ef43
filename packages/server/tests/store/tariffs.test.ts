import { NATIVE_MINT, type Address, amount } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { sqlTariffStore } from '../../src/adapters/store/tariff-store.ts'
import { tryInsertAsset, updateAsset } from '../../src/operator/asset/asset-row.ts'
import type { PoolFacts } from '../../src/ports/chain.ts'
import { refreshTariffs } from '../../src/usecases/market/refresh-tariffs.ts'
import { openMigrated } from '../migrated-database.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const HOUR_MS = 3_600_000

let database: Database
let nowMs = 1_800_000_000_000
/** Base units of USDC for 10^9 lamports; undefined if there is no price. */
let price: bigint | undefined = 150_000_000n

beforeAll(async () => {
  database = await openMigrated()
  await migrate(database)
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = 1_800_000_000_000
  price = 150_000_000n
  await database.query('DELETE FROM assets', [])
  for (const [mint, kind] of [
    [NATIVE_MINT, 'native'],
    [USDC, 'token'],
  ] as const) {
    const fees = {
      networkFeeExists: amount(1n),
      networkFeeCreated: amount(1n),
      inputMax: amount(10n ** 12n),
    }
    const row = { symbol: kind, name: kind, decimals: 6, serviceBps: 0, isSwappable: true }
    await tryInsertAsset(database, { mint, kind, ...row, ...fees }, nowMs)
    await updateAsset(database, mint, { tariff: 'automatic' }, nowMs)
  }
})

const refresh = () =>
  refreshTariffs({
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
    prices: {
      // The rate is read in this direction because fees are collected in the asset and spent in lamports. Even at the
      // less favourable end of the rate's interval, the fee must cover the cost.
      readRate: async (source: Address, destination: Address) =>
        price === undefined || source !== USDC || destination !== NATIVE_MINT
          ? undefined
          : { numerator: 1_000_000_000n, denominator: price, asOfMs: nowMs },
    },
    tariffs: sqlTariffStore(database),
    priceStep: () => 0,
    chain: { readPool: async () => ({ lamportsPerByte: 6_960n }) as PoolFacts },
  })

async function fees(mint: Address): Promise<string[]> {
  type Row = Record<'network_fee_exists' | 'network_fee_created', string>
  const rows = await database.query<Row>('SELECT * FROM assets WHERE mint = $1', [mint])
  return [rows[0]!.network_fee_exists, rows[0]!.network_fee_created]
}

it('an automatic tariff is updated after an hour', async () => {
  expect(await refresh()).toBe(2)
  expect(await fees(NATIVE_MINT)).toEqual(['20000', '20000'])
  expect(await fees(USDC)).toEqual(['5000', '500000'])
  price = 900_000_000n
  nowMs += HOUR_MS
  expect(await refresh()).toBe(0)
  expect(await fees(USDC)).toEqual(['5000', '500000'])
  nowMs += 1
  expect(await refresh()).toBe(1)
  expect(await fees(USDC)).toEqual(['20000', '2000000'])
})

it('only one of several replicas changes a tariff', async () => {
  const changes = await Promise.all([refresh(), refresh(), refresh()])
  expect(changes.reduce((sum, one) => sum + one)).toBe(2)
})

it('a tariff stays if it is fixed or its asset has no price', async () => {
  await updateAsset(database, NATIVE_MINT, { tariff: 'fixed' }, nowMs)
  price = undefined
  expect(await refresh()).toBe(0)
  expect(await fees(NATIVE_MINT)).toEqual(['1', '1'])
  expect(await fees(USDC)).toEqual(['1', '1'])
})
