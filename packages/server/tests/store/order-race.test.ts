import { amount, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { tryInsertAsset } from '../../src/operator/asset/asset-row.ts'
import type { NewOrder, OrderRoom, OrderStore, SwapRoom } from '../../src/ports/order-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { drawLeaf } from './chain-of-steps.ts'

const ROUNDS = Number(process.env['SOTTO_RACE_ROUNDS'] ?? 20)
const REQUESTS = 100
/** Most attempts of this test fail. Writing their errors to a log would take longer than the attempts. */
const QUIETLY = '?options=-c%20log_min_messages%3Dfatal'
/** A time limit that is far longer than a test takes on a busy machine. */
const TIMEOUT_MS = 60_000 + ROUNDS * 2_000
const NOW_MS = 1_800_000_000_000
const SENDER = 'SysvarC1ock11111111111111111111111111111111' as Address
const OTHERS = [
  'SysvarC1ock11111111111111111111111111111111',
  'SysvarRent111111111111111111111111111111111',
] as const

/** Orders that wait for their deposit have no data under a pseudonym, so no keys are needed. */
const NO_KEYS = { read: async () => undefined }

let postgres: SharedPostgres
let url: string
let databases: Database[]
let stores: OrderStore[]
beforeAll(async () => {
  postgres = await sharedPostgres()
  url = await postgres.createMigrated()
  // The two pools of connections represent two processes, so only the database can decide the race.
  databases = [openPostgres(url + QUIETLY), openPostgres(url + QUIETLY)]
  stores = databases.map((database) => sqlOrderStore(database, NO_KEYS))
  const [database] = databases as [Database]
  await migrate(database)
  const now = new Date(NOW_MS)
  await database.query(
    `INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ('a', 'a', 0, $1), ('b', 'b', 0, $1)`,
    [now],
  )
  const fees = {
    serviceBps: 0,
    networkFeeExists: amount(0n),
    networkFeeCreated: amount(0n),
    inputMax: amount(1n),
  }
  const names = { symbol: 'SOL', name: 'SOL', decimals: 9 }
  for (const mint of [NATIVE_MINT, ...OTHERS] as Address[]) {
    const asset = { ...names, ...fees, mint, kind: 'native', isSwappable: true } as const
    await tryInsertAsset(database, asset, NOW_MS)
  }
})
afterAll(async () => {
  await Promise.all(databases.map((database) => database.close()))
  await postgres.stop()
})

const bytes = (count: number) => new Uint8Array(randomBytes(count))

/** An order with a random id, quote and fingerprint, and with the test's changes. */
function draft(change: Partial<NewOrder>): NewOrder {
  return {
    id: bytes(16),
    accountId: 'a',
    quoteNonce: bytes(16),
    idempotencyKey: undefined,
    fingerprint: bytes(64),
    epoch: 7,
    reference: undefined,
    sourceMint: NATIVE_MINT,
    destinationMint: NATIVE_MINT,
    amountIn: amount(3n),
    partnerFee: amount(0n),
    value: amount(3n),
    amountOut: amount(2n),
    sender: SENDER,
    partnerAccount: undefined,
    deadline: unixSeconds(1_800_000_000n),
    validUntil: unixSeconds(1_800_000_000n),
    expiry: unixSeconds(1_800_003_600n),
    inner: 1n,
    leaf: drawLeaf(),
    payload: bytes(65),
    lastValidBlockHeight: 1n,
    sealedTerms: bytes(8),
    sealedResponse: bytes(8),
    createdAtMs: NOW_MS,
    ...change,
  }
}

const MANY = { ordersMax: 1_000_000, swap: undefined }

const race = (orders: readonly NewOrder[], room: OrderRoom = MANY) =>
  Promise.all(orders.map((order, index) => stores[index % 2]!.tryCreate(order, room)))

type Tight = Pick<SwapRoom, 'available' | 'openSwapsMax' | 'nowSeconds'>
const roomOf = (swap: Tight & Partial<SwapRoom>): OrderRoom => ({
  ...MANY,
  swap: { accountMax: swap.available, networkMax: swap.available, ...swap },
})

const times = <T>(make: (index: number) => T) => Array.from({ length: REQUESTS }, (_, i) => make(i))

async function addAccount(id: string): Promise<void> {
  await databases[0]!.query(
    'INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, $1, 0, $2)',
    [id, new Date(NOW_MS)],
  )
}

async function countOf(column: 'quote_nonce' | 'idempotency_key', value: unknown) {
  const query = `SELECT id FROM orders WHERE account_id = 'a' AND ${column} = $1`
  return (await databases[0]!.query(query, [value])).length
}

it(
  `inserts only one of ${REQUESTS} simultaneous orders with the same quote or key`,
  async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const quoteNonce = bytes(16)
      const idempotencyKey = `round ${round}`
      const orders = [
        () => draft({ quoteNonce, idempotencyKey }),
        () => draft({ quoteNonce }),
        (index: number) => draft({ quoteNonce, idempotencyKey: `${round} ${index}` }),
        () => draft({ idempotencyKey }),
      ][round % 4]!
      const outcomes = await race(times(orders))
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(REQUESTS - 1)
      if (round % 4 === 3) expect(await countOf('idempotency_key', idempotencyKey)).toBe(1)
      else expect(await countOf('quote_nonce', quoteNonce)).toBe(1)
    }
  },
  TIMEOUT_MS,
)

it(
  'reports to identical swaps that another swap was faster',
  async () => {
    const rounds = Math.max(3, Math.ceil(ROUNDS / 10))
    for (let round = 0; round < rounds; round += 1) {
      const accountId = `swaps-${round}`
      await addAccount(accountId)
      const nowSeconds = unixSeconds(1_700_000_000n + BigInt(round))
      const quoteNonce = bytes(16)
      const swap = {
        ...{ accountId, quoteNonce, value: amount(60n), validUntil: nowSeconds },
        destinationMint: OTHERS[0] as Address,
      }
      // Each room has space for one order but not for two, because of the inventory, the account's cap, or both.
      const room = [
        { available: amount(100n), openSwapsMax: 20, nowSeconds },
        { available: amount(10_000n), openSwapsMax: 1, nowSeconds },
        { available: amount(60n), openSwapsMax: 1, nowSeconds },
      ][round % 3]!
      const outcomes = await race(
        times(() => draft(swap)),
        roomOf(room),
      )
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome === 'taken')).toHaveLength(REQUESTS - 1)
    }
  },
  TIMEOUT_MS,
)

it(
  'never opens more swaps of an account than its cap, even over several assets',
  async () => {
    for (let round = 0; round < 5; round += 1) {
      const accountId = `capped-${round}`
      await addAccount(accountId)
      const nowSeconds = unixSeconds(1_700_100_000n + BigInt(round))
      const room = { available: amount(10_000n), openSwapsMax: 5, nowSeconds }
      const mints = [...OTHERS] as Address[]
      const swaps = times((index) =>
        draft({ accountId, validUntil: nowSeconds, destinationMint: mints[index % 2]! }),
      )
      const outcomes = await race(swaps, roomOf(room))
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(5)
      expect(outcomes.filter((outcome) => outcome === 'too_many_swaps')).toHaveLength(REQUESTS - 5)
    }
  },
  TIMEOUT_MS,
)

it(
  'never makes more unpaid orders than an account or a network may have',
  async () => {
    for (let round = 0; round < 5; round += 1) {
      const accountId = `places-${round}`
      await addAccount(accountId)
      const networks = [undefined, bytes(16), bytes(16)]
      const room = { ordersMax: 5, swap: undefined }
      const orders = times((index) => draft({ accountId, network: networks[index % 3] }))
      const outcomes = await race(orders, room)
      expect(outcomes.filter((outcome) => outcome === 'created')).toHaveLength(15)
      expect(outcomes.filter((outcome) => outcome === 'too_many_unpaid')).toHaveLength(85)
    }
  },
  TIMEOUT_MS,
)

it(
  'never reserves more for one account’s swaps than its share in any race',
  async () => {
    const nowSeconds = unixSeconds(1_700_200_000n)
    for (const accountId of ['greedy', 'modest']) await addAccount(accountId)
    const swap = {
      validUntil: nowSeconds,
      destinationMint: OTHERS[0] as Address,
      value: amount(10n),
    }
    const swaps = times((index) =>
      draft({ accountId: index % 10 === 0 ? 'modest' : 'greedy', ...swap }),
    )
    const bounds = {
      available: amount(100n),
      accountMax: amount(50n),
      openSwapsMax: 1_000,
      nowSeconds,
    }
    const outcomes = await race(swaps, roomOf(bounds))
    const made = (id: string) =>
      swaps.filter((one, index) => one.accountId === id && outcomes[index] === 'created').length
    expect([made('greedy'), made('modest')]).toEqual([5, 5])
  },
  TIMEOUT_MS,
)

it('inserts all orders that differ in their quote or in their account', async () => {
  expect(await race(times(() => draft({})))).toEqual(times(() => 'created'))
  const twins = ['a', 'b'].map((accountId) => draft({ accountId, idempotencyKey: 'twin' }))
  expect(await race(twins)).toEqual(['created', 'created'])
})

it('refuses the loser of a race but keeps its connection', async () => {
  const database = openPostgres(url, { connectionsMax: 1 })
  const backend = async () => (await database.query('SELECT pg_backend_pid() AS pid', []))[0]
  const before = await backend()
  const order = draft({})
  const { tryCreate } = sqlOrderStore(database, NO_KEYS)
  expect([await tryCreate(order, MANY), await tryCreate(order, MANY)]).toEqual(['created', 'taken'])
  await expect(database.query('SELECT nothing', [])).rejects.toThrow()
  expect(await backend()).toEqual(before)
  await database.close()
})
