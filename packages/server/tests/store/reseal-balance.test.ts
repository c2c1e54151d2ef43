import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { pinoLog } from '../../src/adapters/log/pino-log.ts'
import { poseidonLite } from '../../src/adapters/poseidon/poseidon-lite.ts'
import { openOrdersLister } from '../../src/adapters/store/settlement/list-open.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { topUpEpochAt } from '../../src/domain/epoch.ts'
import { hexOf } from '../../src/domain/hex.ts'
import { wholeNumber } from '../../src/domain/whole-number.ts'
import { isUnplanned, NoteOpener } from '../../src/settlement/notes/open-note.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import {
  landPayment as landPaymentOf,
  openBalance as openBalanceOf,
  openedBalance,
  TOP_UPS,
} from './join/balances.ts'
import { beginLife, DOMAIN, EPOCH, EPOCH_MS, NOW_MS, RETENTION_MS, type Life } from './join/life.ts'

const DAY_MS = 24 * EPOCH_MS
/** A time so long after the balance's first end that the balance's order is resealed. */
const AFTER_MS = NOW_MS + 3 * EPOCH_MS + RETENTION_MS + 30 * DAY_MS
const AFTER_EPOCH = topUpEpochAt(AFTER_MS)
const CHANGE_KEY = 5n
const SEALED_OUTCOME = new Uint8Array(32)

let postgres: SharedPostgres
let database: Database
let life: Life
let opener: NoteOpener
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  database = openPostgres(await postgres.createMigrated())
  life = await beginLife(database)
  const log = pinoLog('info', { write: () => undefined })
  const pool = { domain: DOMAIN }
  opener = new NoteOpener({ secrets: life.secrets, poseidon: poseidonLite, pool, log })
})
afterEach(() => database.close())

const openBalance = () => openBalanceOf(life, database)
const opened = (orderId: Uint8Array) => openedBalance(life, opener, orderId)
const landPayment = (balanceId: Uint8Array) =>
  landPaymentOf(life, database, opener, balanceId, CHANGE_KEY)

it('a balance keeps its newest note if a payment completes during the reseal', async () => {
  const balanceId = await openBalance()
  const payment = await landPayment(balanceId)
  await life.store.writeCompleteEpochs([EPOCH, TOP_UPS])
  const { tryClaim } = life.store
  let completions = 0
  Object.assign(life.store, {
    tryClaim: async (...claim: Parameters<typeof tryClaim>) => {
      if (await payment.complete(await payment.read())) completions += 1
      return tryClaim(...claim)
    },
  })
  await life.destroyOnceAt(AFTER_MS)
  expect(completions).toBe(1)
  expect((await opened(balanceId))?.plan.note?.nk).toBe(CHANGE_KEY)
})

it("a balance that stays open does not keep the key of its hour's transfers", async () => {
  const balanceId = await openBalance()
  const payment = await landPayment(balanceId)
  await payment.complete(await payment.read())
  const transfer = await life.deposit()
  await life.settle(transfer, 'deliver')
  await life.destroyAt(NOW_MS + 3 * EPOCH_MS + RETENTION_MS)
  expect(await life.secrets.list()).toEqual([TOP_UPS])
  expect((await opened(balanceId))?.order.epoch).toBe(TOP_UPS)
  expect(life.keysDestroyedUntil.slice(-1)).toEqual([NOW_MS + 3 * EPOCH_MS + RETENTION_MS])
})

/**
 * Returns a function that lists the open orders. During the list, `change` runs after the given number of reads of the
 * database.
 */
async function changedList(change: () => Promise<unknown>) {
  let left = 0
  const query: Database['query'] = async (text, parameters) => {
    const rows = await database.query<never>(text, parameters)
    left -= 1
    if (left === 0) await change()
    return rows
  }
  const list = openOrdersLister({ ...database, query }, life.secrets)
  // The first list caches the pseudonym with which the second list starts.
  await list()
  return async (reads: number) => {
    left = reads
    const orders = await list()
    return { orders, isChanged: left <= 0 }
  }
}

it.each([1, 2, 3, 4])('a balance is listed even if its reseal follows read %i', async (reads) => {
  const balanceId = await openBalance()
  await life.store.writeCompleteEpochs([EPOCH, TOP_UPS])
  const list = await changedList(() => life.destroyOnceAt(AFTER_MS))
  const { orders, isChanged } = await list(reads)
  expect(isChanged).toBe(true)
  expect(orders.map(({ orderId }) => hexOf(orderId))).toEqual([hexOf(balanceId)])
  expect(orders.map(isUnplanned)).toEqual([false])
  expect((await opened(balanceId))?.order.epoch).toBe(AFTER_EPOCH)
})

it.each([1, 2, 3, 4])(
  'an order that ends after read %i is not listed without its plan',
  async (reads) => {
    const balanceId = await openBalance()
    const list = await changedList(async () => {
      const { order } = (await opened(balanceId))!
      const end = { to: 'delivered', sealedOutcome: SEALED_OUTCOME, attempt: undefined } as const
      const balance = { mint: order.sourceMint, plan: order.sealedPlan, left: undefined }
      expect(await life.store.tryComplete({ ...order, ...end, balance }, NOW_MS)).toBe(true)
    })
    const { orders, isChanged } = await list(reads)
    expect(isChanged).toBe(true)
    expect(orders.filter(isUnplanned)).toEqual([])
  },
)

it('a payment from before a reseal completes only after its balance is read again', async () => {
  const balanceId = await openBalance()
  const payment = await landPayment(balanceId)
  await life.store.writeCompleteEpochs([EPOCH, TOP_UPS])
  const stale = await payment.read()
  await life.destroyOnceAt(AFTER_MS)
  expect((await opened(balanceId))?.order.epoch).toBe(AFTER_EPOCH)
  await expect(payment.complete(stale)).rejects.toThrow('resealed')
  expect(await payment.complete(await payment.read())).toBe(true)
  expect((await opened(balanceId))?.plan.note?.nk).toBe(CHANGE_KEY)
})

it('a balance is not resealed in its first 30 days, or between the notice and the end of its retention', async () => {
  const balanceId = await openBalance()
  const payment = await landPayment(balanceId)
  await payment.complete(await payment.read())
  const { expiry: end } = (await opened(balanceId))!.note
  const endMs = wholeNumber(end) * 1_000
  await life.destroyOnceAt(NOW_MS + 3 * DAY_MS - 120_000)
  const epochAfter = async (atMs: number) => {
    await life.destroyOnceAt(atMs)
    return (await opened(balanceId))?.order.epoch
  }
  expect(await epochAfter(NOW_MS + 3 * DAY_MS)).toBe(TOP_UPS)
  expect(await epochAfter(NOW_MS + 29 * DAY_MS)).toBe(TOP_UPS)
  // For a balance with such a short life, the notice is written 2,100 seconds before the end. The balance then keeps
  // its key until the retention time after the end has passed.
  expect(await epochAfter(endMs - 2_000_000)).toBe(TOP_UPS)
  const dueMs = endMs - 2_200_000
  expect(await epochAfter(dueMs)).toBe(topUpEpochAt(dueMs))
  const lateMs = endMs + RETENTION_MS + 2 * EPOCH_MS
  expect(await epochAfter(lateMs - 3 * EPOCH_MS)).toBe(topUpEpochAt(dueMs))
  expect(await epochAfter(lateMs)).toBe(topUpEpochAt(lateMs))
})
