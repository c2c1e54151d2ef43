import { NATIVE_MINT, type Address, amount } from '@sotto/protocol'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { sqlTariffStore } from '../../src/adapters/store/tariff-store.ts'
import { tryInsertAsset, updateAsset } from '../../src/operator/asset/asset-row.ts'
import type { Tariff } from '../../src/domain/tariff.ts'
import type { PoolFacts } from '../../src/ports/chain.ts'
import { refreshTariffs } from '../../src/usecases/market/refresh-tariffs.ts'
import { openMigrated } from '../migrated-database.ts'

const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const HOUR_MS = 3_600_000

let database: Database
let nowMs = 1_800_000_000_000
/** Base units of USDC for 10^9 lamports; undefined if there is no price. */
let price: bigint | undefined = 150_000_000n
/** The rent that the node shows. */
let lamportsPerByte = 6_960n
/** The last readings of each of three replicas. */
let readings: Map<Address, Tariff>[]

beforeAll(async () => {
  database = await openMigrated()
  await migrate(database)
})
afterAll(() => database.close())
beforeEach(async () => {
  nowMs = 1_800_000_000_000
  price = 150_000_000n
  lamportsPerByte = 6_960n
  readings = [new Map(), new Map(), new Map()]
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

/** Runs one round of a replica. */
const round = (replica = 0) =>
  refreshTariffs({
    lastReadings: readings[replica]!,
    clock: { nowMs: () => nowMs, sleep: async () => undefined },
    prices: {
      // The rate is read in this direction because fees are collected in the asset and spent in lamports. Even at the
      // less favourable end of the rate's interval, the fee must cover the cost.
      readRate: async (source: Address, destination: Address) => {
        if (price === -1n) throw new Error('no price')
        return price === undefined || source !== USDC || destination !== NATIVE_MINT
          ? undefined
          : { numerator: 1_000_000_000n, denominator: price, asOfMs: nowMs }
      },
    },
    tariffs: sqlTariffStore(database),
    priceStep: () => 0,
    chain: { readPool: async () => ({ lamportsPerByte }) as PoolFacts },
  })

/** Runs two rounds of a replica. A tariff changes only in the second round. */
async function refresh(replica = 0): Promise<number> {
  expect(await round(replica)).toBe(0)
  return round(replica)
}

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
  const changes = await Promise.all([refresh(0), refresh(1), refresh(2)])
  expect(changes.reduce((sum, one) => sum + one)).toBe(2)
})

it('a tariff stays if it is fixed or its asset has no price', async () => {
  await updateAsset(database, NATIVE_MINT, { tariff: 'fixed' }, nowMs)
  price = undefined
  expect(await refresh()).toBe(0)
  expect(await fees(NATIVE_MINT)).toEqual(['1', '1'])
  expect(await fees(USDC)).toEqual(['1', '1'])
})

it('a false rent that a node shows in one round changes no tariff', async () => {
  expect(await refresh()).toBe(2)
  nowMs += HOUR_MS + 1
  for (const rent of [0n, 696_000n]) {
    lamportsPerByte = rent
    expect(await round()).toBe(0)
    lamportsPerByte = 6_960n
    expect(await round()).toBe(0)
    expect(await round()).toBe(0)
  }
  // Two false readings in a row change a tariff. A round in which the tariff is fixed takes no reading. So the readings
  // before and after that round don't count as two in a row.
  lamportsPerByte = 69_600n
  expect(await round()).toBe(0)
  await updateAsset(database, USDC, { tariff: 'fixed' }, nowMs)
  expect(await round()).toBe(0)
  await updateAsset(database, USDC, { tariff: 'automatic' }, nowMs)
  expect(await round()).toBe(0)
  expect(await fees(USDC)).toEqual(['5000', '500000'])
  expect(await round()).toBe(1)
  expect(await fees(USDC)).toEqual(['5000', '5000000'])
})

it('of two readings, the one nearer to the present tariff is used', async () => {
  expect(await refresh()).toBe(2)
  nowMs += HOUR_MS + 1
  price = 15_000_000_000n
  expect(await round()).toBe(0)
  price = 900_000_000n
  expect(await round()).toBe(1)
  expect(await fees(USDC)).toEqual(['20000', '2000000'])
})

it('the tariffs of other assets are updated even if the price of one asset cannot be read', async () => {
  price = -1n
  await expect(refresh()).rejects.toThrow('no price')
  await expect(round()).rejects.toThrow('no price')
  expect(await fees(NATIVE_MINT)).toEqual(['20000', '20000'])
})

it('a change of a tariff is dated by the chain’s clock if a wrong clock dated it in the future', async () => {
  const seconds = nowMs / 1_000
  const dateOf = async () => {
    const rows = await database.query<{ tariff_changed_at: Date }>(
      'SELECT tariff_changed_at FROM assets WHERE mint = $1',
      [USDC],
    )
    return rows[0]!.tariff_changed_at.getTime() - nowMs
  }
  await database.query(
    `INSERT INTO chain_cursor (program, domain, slot, block_height, unix_seconds, next_leaf, updated_at)
     VALUES ('program', $1, 5, 5, $2, 0, $3)`,
    [new Uint8Array(32), `${seconds - 20}`, new Date(nowMs)],
  )
  const ahead = { networkFeeExists: amount(3n) }
  await updateAsset(database, USDC, ahead, nowMs + 24 * HOUR_MS)
  await round()
  expect(await dateOf()).toBe(-20_000)
  // A date that is a minute ahead stays, because clocks differ by minutes, and the followed time lags. While the chain
  // isn't followed, the followed time is too old to correct a date. Then even a date that is a day ahead stays.
  await updateAsset(database, USDC, ahead, nowMs + 60_000)
  await round()
  expect(await dateOf()).toBe(60_000)
  await database.query('UPDATE chain_cursor SET updated_at = $1', [new Date(nowMs - HOUR_MS)])
  await updateAsset(database, USDC, ahead, nowMs + 24 * HOUR_MS)
  await round()
  expect(await dateOf()).toBe(24 * HOUR_MS)
  await database.query('DELETE FROM chain_cursor', [])
})
