import { parseWhole, unixSeconds } from '@sotto/protocol'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { sqlOrderStore } from '../../src/adapters/store/order-store.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { tryClaim } from '../../src/adapters/store/settlement/leases.ts'
import { clearEpoch, writeOff } from '../../src/adapters/store/settlement/epochs.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { decodeTerms } from '../../src/domain/order-secrets.ts'
import type { OpenOrder, Outcome } from '../../src/ports/settlement-store.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { beginLife, EPOCH, EPOCH_MS, EXPIRY, NOW_MS, RETENTION_MS, type Life } from './join/life.ts'

const RETENTION_SECONDS = BigInt(RETENTION_MS / 1_000)
const AFTER_MS = (EPOCH + 3) * EPOCH_MS + RETENTION_MS
const YEAR_MS = 365 * 86_400_000

let postgres: SharedPostgres
let database: Database
let life: Life
beforeAll(async () => {
  postgres = await sharedPostgres()
})
afterAll(() => postgres.stop())
beforeEach(async () => {
  database = openPostgres(await postgres.createDatabase())
  life = await beginLife(database)
})
afterEach(() => database.close())

/** A database that pauses after a statement until `during` ends or waits for a lock. */
function heldUpAfter(statement: string, during: () => Promise<unknown>): Database {
  return {
    ...database,
    transaction: (work, length) =>
      database.transaction((sql) => {
        const query: Database['query'] = async (text, parameters) => {
          const rows = await sql.query<never>(text, parameters)
          if (text.startsWith(statement)) await Promise.race([during(), untilSomebodyWaits()])
          return rows
        }
        return work({ ...sql, query })
      }, length),
  }
}

async function untilSomebodyWaits(): Promise<void> {
  const waiting = `SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND datname = current_database()`
  while ((await database.query(waiting, [])).length === 0) await sleep(20)
}

/** Sets the clock of the followed chain. */
async function chainAt(clock: bigint): Promise<void> {
  const { nextLeaf: from, slot } = await life.store.readCursor()
  const head = {
    slot: slot + 1n,
    blockHeight: slot + 1n,
    unixSeconds: unixSeconds(clock),
    nextLeaf: from,
  }
  const none = { leaves: [], deposits: [], isRescan: false, keep: parseWhole(`${from}`) }
  expect(await life.store.tryRecord({ from, head, ...none }, NOW_MS)).toBe(true)
}

const statusOf = async (orderId: Uint8Array) =>
  (await sqlOrderStore(database, life.secrets).readOrder('acme', orderId))!.order.status

it('a late order keeps its key until the end of the retention time', async () => {
  const [paid, late] = [await life.deposit(), await life.deposit()]
  await life.settle(paid, 'deliver')
  const chainSeconds = EXPIRY + RETENTION_SECONDS
  await chainAt(chainSeconds)
  // The second of the two rounds runs at the end of the retention time.
  await life.destroyAt(AFTER_MS, parseWhole(`${chainSeconds - 120n}000`))
  expect(await life.secrets.read(EPOCH)).toBeDefined()
  expect(await statusOf(late.order.id)).toBe('deposited')
})

it('a late order is resealed and then refunded under its new key', async () => {
  const [paid, late] = [await life.deposit(), await life.deposit()]
  await life.settle(paid, 'deliver')
  const before = (await life.secrets.read(EPOCH))!
  const noteKey = before.noteKey(late.order.id)
  const former = Buffer.from(before.pseudonym(late.order.id)).toString('hex')
  await chainAt(EXPIRY + RETENTION_SECONDS + 1n)
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.read(EPOCH)).toBeUndefined()
  const [open] = await life.store.listOpen()
  const after = (await life.secrets.read(open!.epoch))!
  expect(open!.epoch).toBe(Math.floor(AFTER_MS / EPOCH_MS))
  const terms = decodeTerms(after.open(late.order.id, 'terms', open!.sealedTerms))
  expect(terms).toMatchObject({
    recipient: late.recipient,
    noteKey,
  })
  // A worker that still has the order's previous pseudonym can't claim the order with it.
  const claim = tryClaim(database, former, 'slow', AFTER_MS, AFTER_MS + 8_000)
  expect(await claim).toBeUndefined()
  expect(await statusOf(paid.order.id)).toBe('delivered')
  await life.settle(late, 'refund', AFTER_MS)
  expect(await statusOf(late.order.id)).toBe('refunded')
})

it('a late order that was resealed leaves no data once it is final', async () => {
  const late = await life.deposit()
  await chainAt(EXPIRY + RETENTION_SECONDS + 1n)
  await life.destroyAt(AFTER_MS)
  await chainAt(BigInt(AFTER_MS / 1_000))
  await life.settle(late, 'refund', AFTER_MS)
  await life.destroyAt(AFTER_MS + RETENTION_MS + 3 * EPOCH_MS)
  expect(await life.secrets.list()).toEqual([])
  expect(await statusOf(late.order.id)).toBe('refunded')
  const [row] = await database.query<Record<string, Uint8Array | null>>(
    'SELECT sealed_terms, sealed_response, sealed_plan, fingerprint FROM orders',
    [],
  )
  expect(Object.values(row!).every((value) => value === null || value.length === 0)).toBe(true)
  expect(await database.query('SELECT 1 FROM settlements', [])).toEqual([])
})

it('an order’s key is destroyed in time even if a clock was years ahead at the order’s end', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver', NOW_MS + 10 * YEAR_MS)
  await life.destroyAt(AFTER_MS + 2 * EPOCH_MS)
  expect(await life.secrets.read(EPOCH)).toBeUndefined()
})

it('an epoch is not cleared while it has an open order', async () => {
  const order = await life.deposit()
  await expect(life.store.clearEpoch(EPOCH)).rejects.toThrow('open orders')
  expect(await statusOf(order.order.id)).toBe('deposited')
})

it('a delivered order is read as delivered during the destruction of its key', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  let looks = 0
  const query: Database['query'] = async (text, parameters) => {
    const rows = await database.query<never>(text, parameters)
    looks += 1
    if (looks === 1) await life.destroyAt(AFTER_MS)
    return rows
  }
  const store = sqlOrderStore({ ...database, query }, life.secrets)
  const read = await store.readOrder('acme', paid.order.id)
  expect(await life.secrets.read(EPOCH)).toBeUndefined()
  expect(read!.order.status).toBe('delivered')
})

it('a delivery is kept even if a slow clock dated it an hour early', async () => {
  await life.secrets.forNewOrder(EPOCH - 1)
  const paid = await life.deposit()
  await life.settle(paid, 'deliver', EPOCH * EPOCH_MS - 5_000)
  await life.destroyAt(EPOCH * EPOCH_MS + RETENTION_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  expect(await statusOf(paid.order.id)).toBe('delivered')
})

it.each(['INSERT INTO cleared', 'INSERT INTO orders'])(
  'an order that is resealed while its first epoch is cleared (%s) stays open',
  async (statement) => {
    const { order } = await life.deposit()
    const reseal = async (epoch: number) => {
      await life.secrets.forNewOrder(epoch)
      const lease = (await life.store.tryClaim(order.id, 'other', NOW_MS, NOW_MS + 8_000))!
      const sealed = new Uint8Array([epoch % 256])
      const [{ sealedPlan: plan }] = (await life.store.listOpen([order.id])) as [OpenOrder]
      const resealed = { epoch, plan, sealedTerms: sealed, sealedPlan: sealed }
      return life.store.tryReseal(lease, resealed, NOW_MS)
    }
    expect(await reseal(EPOCH + 1)).toBe(true)
    let second: Promise<boolean> | undefined
    const slow = heldUpAfter(statement, () => (second = reseal(EPOCH + 2)))
    await clearEpoch(slow, life.secrets, EPOCH)
    expect(await second).toBe(true)
    expect(await life.store.listOpen()).toMatchObject([
      { orderId: order.id, epoch: EPOCH + 2, sealedTerms: new Uint8Array([(EPOCH + 2) % 256]) },
    ])
  },
)

it('other keys are destroyed even if one epoch cannot be cleared', async () => {
  const { order } = await life.deposit()
  await life.secrets.forNewOrder(EPOCH + 1)
  const pseudonym = (await life.secrets.read(EPOCH))!.pseudonym(order.id)
  await database.query(
    `INSERT INTO settlements (pseudonym, status, final_hour) VALUES ($1, 'moved', $2)`,
    [pseudonym, new Date(NOW_MS)],
  )
  // The order isn't listed as open. So the counts expect the change leaf of its settlement in the tree.
  await life.appendUnknown()
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  expect(await life.store.readEpochEnd(EPOCH)).toBe('open')
})

it('no key is read inside a transaction while an epoch is cleared', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  let isInside = false
  const readsInside: boolean[] = []
  const transaction: Database['transaction'] = async (work, length) => {
    isInside = true
    try {
      return await database.transaction(work, length)
    } finally {
      isInside = false
    }
  }
  const read = (epoch: number) => {
    readsInside.push(isInside)
    return life.secrets.read(epoch)
  }
  await clearEpoch({ ...database, transaction }, { read }, EPOCH)
  expect(readsInside).toEqual([false])
  expect(await statusOf(paid.order.id)).toBe('delivered')
})

it('no key is destroyed before the chain’s clock reaches the time at which the key is due', async () => {
  await life.secrets.forNewOrder(EPOCH + 1)
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  await life.destroyAt(AFTER_MS, NOW_MS)
  expect(await life.secrets.list()).toEqual([EPOCH, EPOCH + 1])
  await life.destroyAt(AFTER_MS, AFTER_MS)
  expect(await life.secrets.list()).toEqual([])
})

it('an epoch is not cleared while one of its orders waits for its deposit', async () => {
  const { order } = await life.deposit()
  await database.query(
    `UPDATE orders SET status = 'awaiting_deposit', leaf_index = NULL WHERE id = $1`,
    [order.id],
  )
  await expect(life.store.clearEpoch(EPOCH)).rejects.toThrow('open orders')
})

it('an unexplained leaf keeps only the keys of epochs that it may belong to', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  // When the first epoch's orders could no longer be deposited, every leaf was explained. So a later unexplained leaf
  // can't belong to the first epoch.
  await life.destroyAt((EPOCH + 3) * EPOCH_MS)
  await life.secrets.forNewOrder(EPOCH + 1)
  await life.appendUnknown()
  await life.destroyAt(AFTER_MS + EPOCH_MS)
  expect(await life.secrets.list()).toEqual([EPOCH + 1])
  // A leaf that was written off keeps no key alive.
  const [unknown] = await life.store.readLeaves(2)
  await writeOff(database, [unknown!])
  await life.destroyAt(AFTER_MS + EPOCH_MS)
  expect(await life.secrets.list()).toEqual([])
})

it('no key is destroyed while the books differ or were never compared', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  await life.store.recordBooks(false, NOW_MS)
  await life.destroyAt(AFTER_MS)
  await database.query('UPDATE health SET books_agree = NULL', [])
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await life.store.recordBooks(true, NOW_MS)
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.list()).toEqual([])
})

it('no key is destroyed while the settlement of an ended order is missing in the tree', async () => {
  const [paid, invented] = [await life.deposit(), await life.deposit()]
  await life.settle(paid, 'deliver')
  const { id: orderId } = invented.order
  const sealed = { epoch: EPOCH, sealedOutcome: new Uint8Array(1) }
  const end = { ...sealed, orderId, to: 'delivered', attempt: undefined }
  expect(await life.store.tryComplete(end as Outcome, NOW_MS)).toBe(true)
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.list()).toEqual([EPOCH])
  await life.appendUnknown()
  await life.destroyAt(AFTER_MS)
  expect(await life.secrets.list()).toEqual([])
})

it('a key is destroyed only after two consecutive correct counts', async () => {
  const paid = await life.deposit()
  await life.settle(paid, 'deliver')
  const [before, after] = [AFTER_MS - 120_000, AFTER_MS]
  await life.destroyOnceAt(AFTER_MS, before)
  await life.destroyOnceAt(AFTER_MS, after - 1_000)
  await life.store.recordBooks(false, NOW_MS)
  await life.destroyOnceAt(AFTER_MS, after)
  await life.store.recordBooks(true, NOW_MS)
  await life.destroyOnceAt(AFTER_MS, after)
  expect(await life.secrets.list()).toEqual([EPOCH])
  expect(life.logLines.join('')).not.toContain('orders_missing')
  await life.destroyOnceAt(AFTER_MS, after + 120_000)
  expect(await life.secrets.list()).toEqual([])
})
