import { unixSeconds } from '@sotto/protocol'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ChangeHub } from '../../src/adapters/changes/change-hub.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import type { HintListener } from '../../src/adapters/store/listen.ts'
import { openPostgres } from '../../src/adapters/store/postgres.ts'
import { listenForStatuses, notifyProcesses } from '../../src/adapters/store/status-hints.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { encodeTerms } from '../../src/domain/order-secrets.ts'
import { encodeTrackingId } from '../../src/domain/tracking-id.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { watchStatus } from '../../src/usecases/status/watch-status.ts'
import { sharedPostgres, type SharedPostgres } from '../shared-postgres.ts'
import { ChainOfSteps, DEADLINE, newOrder, SENDER } from '../store/chain-of-steps.ts'
import {
  ACCOUNT,
  drawId,
  EPOCHS,
  NOW_MS,
  openSql,
  OTHER_ACCOUNT,
  type Stores,
} from '../store/open-stores.ts'

let postgres: SharedPostgres
let database: Database
let stores: Stores
let chain: ChainOfSteps
let listener: HintListener
const hub = new ChangeHub()
/**
 * A clock whose sleeps never end, so the stream never polls. Every status that arrives was announced by a notification.
 */
const patient: Clock = { nowMs: () => NOW_MS, sleep: () => new Promise(() => undefined) }

beforeAll(async () => {
  postgres = await sharedPostgres()
  const url = await postgres.createDatabase()
  database = openPostgres(url)
  stores = await openSql(database)
  chain = await ChainOfSteps.begin(stores)
  // The streams' process shares only the database with the worker.
  const failed = (error: unknown) => expect(error).toBeUndefined()
  await new Promise<void>((resolve) => {
    const told = new ChangeHub()
    Object.assign(told, { notify: hub.notify, notifyAll: () => resolve() })
    listener = listenForStatuses(url, told, { clock: systemClock, failed })
  })
})
afterAll(async () => {
  await listener.close()
  await database.close()
  await postgres.stop()
})

async function waitingOrder() {
  const id = drawId()
  const key = (await stores.secrets!.read(EPOCHS[0]))!
  const terms = { recipient: SENDER, accountExisted: true, minDelaySeconds: 1, maxDelaySeconds: 2 }
  const sealedTerms = key.seal(id, 'terms', encodeTerms(terms))
  const order = newOrder({ id, sealedTerms, validUntil: unixSeconds(DEADLINE - 200n) })
  await stores.orders.tryCreate(order, undefined)
  return { id, trackingId: encodeTrackingId(id) }
}

const watch = (trackingId: string, after = 0, signal = new AbortController().signal) =>
  watchStatus(
    {
      ...{ orders: stores.orders, secrets: stores.secrets!, clock: patient },
      ...{ outbox: stores.outbox, changes: hub, arrivalSeconds: () => 60 },
    },
    ACCOUNT,
    trackingId,
    after,
    signal,
  )

it('a stream shows a change that another process makes', async () => {
  const { id, trackingId } = await waitingOrder()
  const changes = await watch(trackingId)
  const first = await changes.next()
  expect(first.value).toMatchObject({ sequence: 1, order: { status: 'awaiting_deposit' } })
  const next = changes.next()
  const tell = notifyProcesses(database, (error) => expect(error).toBeUndefined())
  // These are the names of 250 other orders. One notification contains at most 100 names.
  tell(Array.from({ length: 250 }, (_, index) => `${index}`.padStart(64, '0')))
  await chain.record(chain.batch([]))
  expect(await chain.statusOf(id)).toBe('expired')
  tell(stores.told)
  expect((await next).value).toMatchObject({
    sequence: 2,
    order: { status: 'expired', final: true },
  })
  expect(await changes.next()).toEqual({ done: true, value: undefined })
})

it('only a final status is sent again if it was already seen', async () => {
  const { trackingId } = await waitingOrder()
  const stopping = new AbortController()
  const seen = (await watch(trackingId, 1, stopping.signal)).next()
  stopping.abort()
  expect(await seen).toEqual({ done: true, value: undefined })
  await chain.record(chain.batch([]))
  const late = await watch(trackingId, 5)
  expect((await late.next()).value).toMatchObject({ sequence: 2, order: { final: true } })
})

it("another account's order is refused as nonexistent", async () => {
  const { trackingId } = await waitingOrder()
  const d = { orders: stores.orders, secrets: stores.secrets!, clock: patient }
  const watching = { ...d, outbox: stores.outbox, changes: hub, arrivalSeconds: () => 60 }
  const { signal } = new AbortController()
  await expect(watchStatus(watching, OTHER_ACCOUNT, trackingId, 0, signal)).rejects.toThrow(
    'ORDER_NOT_FOUND',
  )
})
