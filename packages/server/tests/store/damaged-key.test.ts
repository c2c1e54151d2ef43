import { unixSeconds } from '@sotto/protocol'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { unsettledChain } from './unsettled-chain.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { poseidonLite } from '../../src/adapters/poseidon/poseidon-lite.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { createSettlementStore } from '../../src/adapters/store/settlement/settlement-store.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { decodeTerms, encodeTerms } from '../../src/domain/order-secrets.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import type { SettlementStore } from '../../src/ports/settlement-store.ts'
import { epochDestroyer } from '../../src/settlement/upkeep/destroy-epochs.ts'
import { NoteOpener } from '../../src/settlement/notes/open-note.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { beginLife, DOMAIN, EPOCH, EPOCH_MS, NOW_MS, RETENTION_MS, type Life } from './join/life.ts'

const AFTER_MS = (EPOCH + 4) * EPOCH_MS + RETENTION_MS

let postgres: SharedPostgres
let database: Database
let life: Life
let secrets: Secrets
let store: SettlementStore
let alerts: string[]
let healthy: Uint8Array
const log = {
  alert: (code: string) => void alerts.push(code),
  failed: () => undefined,
  event: () => undefined,
}

/** Makes one order whose key is damaged on disk, and one order whose key is intact. */
beforeAll(async () => {
  postgres = await sharedPostgres()
  database = openPostgres(await postgres.createDatabase())
  life = await beginLife(database)
  await life.deposit()
  healthy = (await life.deposit()).order.id
  await moveToNextEpoch(healthy)
  await life.secrets.forNewOrder(EPOCH + 2)
  await truncate(join(life.keyFolder, 'epochs', `${EPOCH}.key`), 7)
  // A process that starts now reads the damaged key. Processes that are already running have the intact key in memory.
  secrets = openFileSecrets(life.keyFolder, systemRandom)
  store = createSettlementStore(database, secrets)
  alerts = []
})
afterAll(async () => {
  await database?.close()
  await postgres?.stop()
})

async function moveToNextEpoch(orderId: Uint8Array): Promise<void> {
  const [from, to] = [(await life.secrets.read(EPOCH))!, await life.secrets.forNewOrder(EPOCH + 1)]
  const open = (await life.store.listOpen()).find((one) => one.leafIndex === 1)!
  const terms = decodeTerms(from.open(orderId, 'terms', open.sealedTerms))
  const noteKey = from.noteKey(orderId)
  const lease = (await life.store.tryClaim(orderId, 'mover', NOW_MS, NOW_MS + 1_000))!
  const resealed = {
    ...{ epoch: to.epoch, plan: open.sealedPlan },
    sealedTerms: to.seal(orderId, 'terms', encodeTerms({ ...terms, noteKey })),
    sealedPlan: to.seal(orderId, 'plan', from.open(orderId, 'plan', open.sealedPlan)),
  }
  expect(await life.store.tryReseal(lease, resealed, NOW_MS)).toBe(true)
}

const openerOf = () =>
  new NoteOpener({ secrets, poseidon: poseidonLite, pool: { domain: DOMAIN }, log })

it('a damaged key does not block the settlement of other keys’ orders', async () => {
  const opener = openerOf()
  const open = await store.listOpen()
  expect(open).toHaveLength(2)
  const opened = await opener.openAll(open)
  expect(opened.map(({ order }) => order.orderId)).toEqual([healthy])
  expect(alerts).toEqual(['secrets_missing'])
  expect(await store.tryClaim(healthy, 'worker', NOW_MS, NOW_MS + 1_000)).toBeDefined()
})

it('a damaged key does not stop an account from listing its orders', async () => {
  const orders = await sqlOrderStore(database, secrets).listOrders('acme', 9, undefined)
  expect(orders.map(({ status }) => status)).toEqual(['deposited', 'deposited'])
})

let chainSeconds = unixSeconds(0n)

const partsOf = () => ({
  secrets,
  clock: { nowMs: () => AFTER_MS, sleep: async () => undefined },
  log,
  opener: openerOf(),
  random: systemRandom,
  ...{ chain: unsettledChain, tree: { size: 0 } },
  ...{ retentionMs: RETENTION_MS, workerId: 'keeper', leaseMs: 8_000 },
  store: {
    ...store,
    readCursor: async () => ({ ...(await store.readCursor()), unixSeconds: chainSeconds }),
  },
})

it('no settlement’s row is deleted if the keystore stops listing keys that still exist', async () => {
  chainSeconds = unixSeconds(BigInt(AFTER_MS / 1_000) - 120n)
  const parts = partsOf()
  let lists = 0
  const failing = {
    ...secrets,
    list: async () => ((lists += 1) === 1 ? secrets.list() : []),
    destroy: () => expect.fail('no key may be destroyed yet'),
  }
  const dropSettled = () => expect.fail('the keys still exist')
  await epochDestroyer({ ...parts, secrets: failing, store: { ...parts.store, dropSettled } })()
  expect(lists).toBe(2)
})

it('a damaged key is kept while other keys are destroyed', async () => {
  alerts = []
  chainSeconds = unixSeconds(BigInt(AFTER_MS / 1_000) - 120n)
  const destroyEpochs = epochDestroyer(partsOf())
  await destroyEpochs()
  chainSeconds = unixSeconds(BigInt(AFTER_MS / 1_000))
  await destroyEpochs()
  const left = await secrets.list()
  expect(left).toContain(EPOCH)
  expect(left).not.toContain(EPOCH + 2)
  expect(alerts).toContain('secrets_missing')
})
