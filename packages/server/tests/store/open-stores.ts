import { amount, NATIVE_MINT, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { sqlAccountStore } from '../../src/adapters/store/account-store.ts'
import { sqlMarketStore } from '../../src/adapters/store/market-store.ts'
import { memoryAccountStore } from '../../../../sim/store/memory-account-store.ts'
import { MemoryDatabase } from '../../../../sim/store/memory-database.ts'
import { memoryMarketStore } from '../../../../sim/store/memory-market-store.ts'
import { memoryOutboxStore } from '../../../../sim/store/memory-outbox.ts'
import { memoryOrderStore } from '../../../../sim/store/memory-order-store.ts'
import { memorySettlementStore } from '../../../../sim/store/memory-settlement-store.ts'
import { memoryWebhookStore } from '../../../../sim/store/memory-webhook-store.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { sqlOutboxStore } from '../../src/adapters/store/outbox/outbox-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import type { StatusNotifier } from '../../src/adapters/store/status-notifier.ts'
import { sqlWebhookStore } from '../../src/adapters/store/webhook-store.ts'
import { topUpEpochOf } from '../../src/domain/epoch.ts'
import { tryInsertAsset } from '../../src/operator/asset/asset-row.ts'
import type { AccountStore, ApiKeyRecord } from '../../src/ports/account-store.ts'
import type { MarketStore } from '../../src/ports/market-store.ts'
import type { OrderStore } from '../../src/ports/order-store.ts'
import type { OutboxStore } from '../../src/ports/outbox-store.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import type { SettlementStore } from '../../src/ports/settlement-store.ts'
import type { WebhookStore } from '../../src/ports/webhook-store.ts'
import { startPostgres } from '../start-postgres.ts'
import { openMigratedPglite } from '../migrated-pglite.ts'

export const STORE_KINDS = ['memory', 'PGlite', 'PostgreSQL'] as const
export type StoreKind = (typeof STORE_KINDS)[number]

/** All stores, on one database. */
export interface Stores {
  readonly accounts: AccountStore
  readonly market: MarketStore
  readonly orders: OrderStore
  readonly settlement: SettlementStore
  readonly outbox: OutboxStore
  readonly webhooks: WebhookStore
  readonly addAccount: (id: string) => Promise<void>
  /** The status changes that the settlement store announced to its notifier, by their names in the outbox. */
  readonly told: string[]
  /** The stores' database; undefined for stores in memory. */
  readonly database: Database | undefined
  /** The keys with which the stores seal data; undefined for a store in memory, which doesn't seal its data. */
  readonly secrets: Secrets | undefined
  readonly close: () => Promise<void>
}

export const NOW_MS = 1_800_000_000_000
export const ACCOUNT = 'account'
export const OTHER_ACCOUNT = 'other'
export const FEE_RECIPIENT = 'SysvarRent111111111111111111111111111111111' as Address
export const OTHER_MINT = 'SysvarC1ock11111111111111111111111111111111' as Address
/** Epochs that have keys. */
export const EPOCHS = [7, 8] as const
/** Epochs of top-ups that have keys. */
export const TOP_UPS = [topUpEpochOf(EPOCHS[0]), topUpEpochOf(EPOCHS[1])] as const

/** The properties of a newly registered endpoint, except those that the registration sets. */
export const NEW_WEBHOOK = {
  ...{ disabledAtMs: undefined, timesEnabled: 0 },
  ...{ secretVersion: 1, overlapUntilMs: undefined },
} as const

const LISTING = {
  symbol: 'SOL',
  name: 'SOL',
  decimals: 9,
  kind: 'native',
  serviceBps: 30,
  isSwappable: true,
} as const
const AMOUNTS = {
  networkFeeExists: amount(5n),
  networkFeeCreated: amount(6n),
  inputMax: amount(18_446_744_073_709_551_615n),
}

export const API_KEY: ApiKeyRecord = {
  keyId: 'key',
  mode: 'test',
  secretHmac: new Uint8Array(32).fill(9),
  scopes: ['transfers:write', 'transfers:read'],
  expiresAtMs: NOW_MS + 1_000,
  isRevoked: false,
  account: {
    ...{ id: ACCOUNT, isDisabled: false },
    ...{ feeBpsMax: 100, openSwapsMax: 20, openOrdersMax: 1_000 },
  },
}

/**
 * Opens stores of a kind on an empty database, with two accounts, a key and two assets. Stores in memory keep no
 * accounts.
 */
export async function openStores(kind: StoreKind): Promise<Stores> {
  switch (kind) {
    case 'memory':
      return openMemory()
    case 'PGlite':
      return openSql(await openMigratedPglite())
    case 'PostgreSQL': {
      const postgres = await startPostgres()
      const stores = await openSql(openPostgres(await postgres.createDatabase()))
      return {
        ...stores,
        close: async () => {
          await stores.close()
          await postgres.stop()
        },
      }
    }
  }
}

/** A notifier that notifies only the test, with the test's clock. */
const notifier = (told: string[]): StatusNotifier => ({
  clock: { nowMs: () => NOW_MS, sleep: async () => undefined },
  notify: (names) => void told.push(...names),
})

function openMemory(): Stores {
  const database = new MemoryDatabase()
  const told: string[] = []
  database.apiKeys.set(API_KEY.keyId, API_KEY)
  database.feeRecipients.add(`${ACCOUNT} ${FEE_RECIPIENT}`)
  for (const mint of [NATIVE_MINT, OTHER_MINT]) {
    database.assets.set(mint, { ...LISTING, ...AMOUNTS, mint })
  }
  return {
    accounts: memoryAccountStore(database),
    market: memoryMarketStore(database),
    orders: memoryOrderStore(database),
    settlement: memorySettlementStore(database, notifier(told)),
    outbox: memoryOutboxStore(database),
    webhooks: memoryWebhookStore(database),
    addAccount: async () => undefined,
    told,
    database: undefined,
    secrets: undefined,
    close: async () => undefined,
  }
}

/** Opens every store on an empty SQL database, with two accounts, a key and two assets. */
export async function openSql(database: Database): Promise<Stores> {
  await migrate(database)
  const secrets = openFileSecrets(await mkdtemp(join(tmpdir(), 'sotto-stores-')), systemRandom)
  for (const epoch of [...EPOCHS, ...TOP_UPS]) await secrets.forNewOrder(epoch)
  await fill(database)
  const told: string[] = []
  return {
    accounts: sqlAccountStore(database),
    market: sqlMarketStore(database),
    orders: sqlOrderStore(database, secrets),
    settlement: createSettlementStore(database, secrets, notifier(told)),
    outbox: sqlOutboxStore(database, secrets),
    webhooks: sqlWebhookStore(database),
    addAccount: (id) => addAccount(database, id),
    told,
    database,
    secrets,
    close: () => database.close(),
  }
}

async function addAccount(database: Database, id: string): Promise<void> {
  const text =
    'INSERT INTO accounts (id, name, fee_bps_max, created_at) VALUES ($1, $1, 100, now())'
  await database.query(text, [id])
}

async function fill(database: Database): Promise<void> {
  for (const id of [ACCOUNT, OTHER_ACCOUNT]) await addAccount(database, id)
  await database.query('INSERT INTO fee_recipients VALUES ($1, $2, now())', [
    ACCOUNT,
    FEE_RECIPIENT,
  ])
  const { keyId, mode, secretHmac, scopes, expiresAtMs = 0 } = API_KEY
  await database.query(
    `INSERT INTO api_keys (id, account_id, mode, secret_hmac, scopes, created_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, now(), $6)`,
    [keyId, ACCOUNT, mode, secretHmac, scopes.join(' '), new Date(expiresAtMs)],
  )
  for (const mint of [NATIVE_MINT, OTHER_MINT]) {
    await tryInsertAsset(database, { ...LISTING, ...AMOUNTS, mint }, NOW_MS)
  }
}

/** Draws sixteen random bytes, which no other order has. */
export const drawId = (): Uint8Array => new Uint8Array(randomBytes(16))
