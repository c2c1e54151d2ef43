import { parseWhole } from '@sotto/protocol'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { newEvent, writeEvents } from '../../src/adapters/store/outbox/new-event.ts'
import { sqlOutboxStore } from '../../src/adapters/store/outbox/outbox-store.ts'
import { SENT_SEQUENCES } from '../../src/domain/order-event.ts'
import { decodeTrackingId } from '../../src/domain/tracking-id.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { sqlWebhookStore } from '../../src/adapters/store/webhook-store.ts'
import { httpSender } from '../../src/adapters/webhooks/http-sender.ts'
import { deliverDue } from '../../src/notify/deliver-webhooks.ts'
import { EndpointCircuits } from '../../src/notify/endpoint-circuits.ts'
import { Hourly } from '../../src/notify/hourly.ts'
import { WorkPool } from '../../src/running/work-pool.ts'
import { startHttpStack, type HttpStack } from '../http/http-stack.ts'
import { codeOf, placed, send, solSend } from '../http/partner-client.ts'
import { HandClock } from './hand-clock.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const HOUR_MS = 3_600_000
const ROOT = '/transfer/v1/webhooks'
type Shown = { webhook: { webhookId: string; disabledAt: string | null }; secret: string }
type Deliveries = { deliveries: { deliveryId: string; state: string; attempts: number }[] }

let stack: HttpStack
let otherKey: string
let receiver: Receiver
beforeAll(async () => {
  stack = await startHttpStack()
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  otherKey = (await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')).apiKey
  await stack.database.query(
    `INSERT INTO chain_cursor (program, domain, slot, block_height, unix_seconds, next_leaf, updated_at)
     VALUES ('x', '', 0, 0, extract(epoch FROM now())::bigint, 0, now())`,
    [],
  )
})
beforeEach(async () => {
  receiver = await startReceiver()
  return () => receiver.close()
})
afterAll(() => stack.close())

async function register(): Promise<{ id: string; secret: string }> {
  await stack.database.query('DELETE FROM webhooks', [])
  const { body } = await send(stack, 'POST', ROOT, { body: { url: receiver.url } })
  const { webhook, secret } = body as unknown as Shown
  return { id: webhook.webhookId, secret }
}

/** Places an order, and stores the message about its change to `deposited`, as settlement does. */
async function orderWithMessage(accountId = 'acme'): Promise<string> {
  const { database, secrets } = stack
  const { trackingId } = (await placed(stack, solSend(stack))).order
  const orderId = decodeTrackingId(trackingId)!
  const query = 'SELECT epoch FROM orders WHERE id = $1'
  const [row] = await database.query<{ epoch: string }>(query, [orderId])
  const key = (await secrets.read(parseWhole(row!.epoch)))!
  const order = { orderId, accountId, reference: undefined, hasWebhooks: true, key }
  await writeEvents(database, [newEvent(order, 'deposited', Date.now())])
  return trackingId
}

/** A clock in the middle of the next hour, when messages are due. The hour changes only if a test advances the clock. */
const nextHour = () => new HandClock(HOUR_MS * (Math.floor(Date.now() / HOUR_MS) + 1.5))
const QUIET = { alert: () => undefined, failed: () => undefined, event: () => undefined }

/** Runs a worker's round on the same database. */
async function round(hourly = new Hourly(Date.now()), nowMs = systemClock.nowMs): Promise<void> {
  const { database, secrets } = stack
  const workPool = new WorkPool(9)
  const d = {
    ...{ secrets, log: QUIET, hourly, circuits: new EndpointCircuits() },
    // A worker writes the results of a poll only after `POLL_MS`. This clock doesn't wait that long.
    clock: { nowMs, sleep: async () => undefined },
    outbox: sqlOutboxStore(database, secrets),
    webhooks: sqlWebhookStore(database),
    sender: httpSender({ allowsLoopback: true }),
  }
  await deliverDue(d, workPool, new AbortController().signal)
  await workPool.idle()
}

const listed = async () =>
  ((await send(stack, 'GET', ROOT)).body as unknown as { webhooks: Shown['webhook'][] }).webhooks

const deliveriesOf = async (id: string, query = '') =>
  (await send(stack, 'GET', `${ROOT}/${id}/deliveries${query}`)).body as unknown as Deliveries

it('a message is sent, listed and sent again on request', async () => {
  const { id, secret } = await register()
  const trackingId = await orderWithMessage()
  await round()
  const verifier = new Verifier(secret)
  const verified = () =>
    receiver.received.map(({ body, headers }) => verifier.verify(body, headers))
  expect(verified()).toMatchObject([{ data: { trackingId, status: 'deposited' } }])
  const { deliveries } = await deliveriesOf(id)
  expect(deliveries).toMatchObject([{ trackingId, state: 'delivered', attempts: 1 }])
  const { deliveryId } = deliveries[0]!
  expect(receiver.received[0]?.headers['webhook-id']).toBe(deliveryId)
  const again = await send(stack, 'POST', `${ROOT}/${id}/deliveries/${deliveryId}/replay`)
  expect(again.body['delivery']).toMatchObject({ state: 'delivered', attempts: 2 })
  await round()
  expect(verified()).toHaveLength(2)
  expect(receiver.received[1]?.headers['webhook-id']).toBe(deliveryId)
  expect(receiver.received[1]?.body).toBe(receiver.received[0]?.body)
  // Without the epoch's key, the log of deliveries can't be read any more.
  const epochs = await stack.secrets.list()
  const keys = { ...stack.secrets, list: async () => [], read: async () => undefined }
  expect(epochs.length).toBeGreaterThan(0)
  const asked = { id: decodeTrackingId(trackingId)!, epoch: epochs[0]!, numbers: SENT_SEQUENCES }
  expect(await sqlOutboxStore(stack.database, keys).read([asked])).toEqual([])
})

it('the request for a test message returns its result immediately', async () => {
  const { id, secret } = await register()
  const test = async () => (await send(stack, 'POST', `${ROOT}/${id}/test`)).body
  expect(await test()).toMatchObject({ arrived: true, responseStatus: 204, problem: null })
  const { body, headers } = receiver.received[0]!
  expect(new Verifier(secret).verify(body, headers)).toMatchObject({ type: 'webhook.test' })
  receiver.answer = 500
  expect(await test()).toMatchObject({ arrived: false, responseStatus: 500 })
  await receiver.close()
  expect(await test()).toMatchObject({
    arrived: false,
    responseStatus: null,
    problem: 'unreachable',
  })
})

it('messages are signed with both secrets after a rotation', async () => {
  const { id, secret } = await register()
  const rotated = (await send(stack, 'POST', `${ROOT}/${id}/rotate`)).body as unknown as Shown
  expect(rotated.secret).not.toBe(secret)
  await orderWithMessage()
  await round()
  const { body, headers } = receiver.received[0]!
  for (const one of [secret, rotated.secret]) new Verifier(one).verify(body, headers)
})

it('messages are still signed with the secret in use if a rotation is repeated', async () => {
  const { id, secret } = await register()
  await send(stack, 'POST', `${ROOT}/${id}/rotate`)
  await send(stack, 'POST', `${ROOT}/${id}/rotate`)
  await orderWithMessage()
  await round()
  const { body, headers } = receiver.received[0]!
  new Verifier(secret).verify(body, headers)
})

it('an endpoint that answered 410 is shown as disabled until it is enabled', async () => {
  const { id } = await register()
  receiver.answer = 410
  await orderWithMessage()
  const hourly = new Hourly(Date.now() - 3_600_000)
  await round(hourly)
  // The service stores that an endpoint is disabled only after the hour has changed.
  await hourly.turn(
    { webhooks: sqlWebhookStore(stack.database), log: QUIET },
    Date.now() + 3_600_000,
  )
  expect(await listed()).toMatchObject([{ disabledAt: expect.any(String) }])
  const enabled = await send(stack, 'POST', `${ROOT}/${id}/enable`)
  expect(enabled.body['webhook']).toMatchObject({ disabledAt: null })
  expect((await send(stack, 'DELETE', `${ROOT}/${id}`)).status).toBe(200)
  expect(await listed()).toEqual([])
  expect(codeOf(await send(stack, 'DELETE', `${ROOT}/${id}`))).toBe('NOT_FOUND')
})

it('an endpoint that is enabled after a 410 gets the messages that were withheld since then', async () => {
  const { id } = await register()
  const clock = nextHour()
  const hourly = new Hourly(clock.nowMs())
  const statesOf = async () => (await deliveriesOf(id)).deliveries.map(({ state }) => state)
  const notified = async () => {
    await orderWithMessage()
    await round(hourly, clock.nowMs)
  }
  receiver.answer = 410
  await notified()
  receiver.answer = 204
  await notified()
  expect(receiver.received).toHaveLength(1)
  expect((await statesOf()).slice(0, 2)).toEqual(['pending', 'failed'])
  await send(stack, 'POST', `${ROOT}/${id}/enable`)
  await notified()
  expect(receiver.received).toHaveLength(2)
  clock.advance(40_000)
  await round(hourly, clock.nowMs)
  expect((await statesOf()).slice(0, 3)).toEqual(['delivered', 'delivered', 'failed'])
  // The endpoint was enabled after the 410, so the 410 doesn't disable it at the full hour.
  clock.advance(HOUR_MS)
  await notified()
  expect(receiver.received).toHaveLength(4)
  expect(await listed()).toMatchObject([{ disabledAt: null }])
})

it('an endpoint that answers 410 again after it was enabled is disabled', async () => {
  const { id } = await register()
  const clock = nextHour()
  const hourly = new Hourly(clock.nowMs())
  receiver.answer = 410
  for (const count of [1, 2]) {
    await orderWithMessage()
    await round(hourly, clock.nowMs)
    expect(receiver.received).toHaveLength(count)
    if (count === 1) await send(stack, 'POST', `${ROOT}/${id}/enable`)
  }
  clock.advance(HOUR_MS)
  await orderWithMessage()
  await round(hourly, clock.nowMs)
  expect(receiver.received).toHaveLength(2)
  expect(await listed()).toMatchObject([{ disabledAt: expect.any(String) }])
})

it('an endpoint that answers a test message or a replay with 410 stays enabled', async () => {
  const { id } = await register()
  await orderWithMessage()
  await round()
  const [delivery] = (await deliveriesOf(id)).deliveries
  receiver.answer = 410
  for (const path of ['test', `deliveries/${delivery!.deliveryId}/replay`]) {
    expect((await send(stack, 'POST', `${ROOT}/${id}/${path}`)).status).toBe(200)
  }
  receiver.answer = 204
  await orderWithMessage()
  await round()
  expect((await deliveriesOf(id)).deliveries[0]).toMatchObject({ state: 'delivered' })
})

it('the registration of an endpoint in a private network is refused', async () => {
  for (const url of [
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[fd00::1]/',
    'nothing',
  ]) {
    const answer = await send(stack, 'POST', ROOT, { body: { url } })
    expect(codeOf(answer)).toBe('WEBHOOK_URL_REFUSED')
  }
})

it.each(['\0', '\ud800', '\n', ' '])(
  'an endpoint URL that contains %j is refused',
  async (text) => {
    const answer = await send(stack, 'POST', ROOT, { body: { url: `${receiver.url}${text}/` } })
    expect(codeOf(answer)).toBe('WEBHOOK_URL_REFUSED')
  },
)

it.each(['%00', 'wh_%F4%8F%BF%AB%00', 'wh_'.padEnd(5_000, 'x')])(
  'an id like %s is refused',
  async (id) => {
    for (const rest of ['/rotate', '/enable', '/test', '/deliveries/evt_%00/replay']) {
      expect(codeOf(await send(stack, 'POST', `${ROOT}/${id}${rest}`))).toBe('NOT_FOUND')
    }
    expect(codeOf(await send(stack, 'DELETE', `${ROOT}/${id}`))).toBe('NOT_FOUND')
    expect(codeOf(await send(stack, 'GET', `${ROOT}/${id}/deliveries`))).toBe('NOT_FOUND')
  },
)

it("another account's endpoints and messages count as nonexistent", async () => {
  const { id } = await register()
  await orderWithMessage()
  await round()
  const [delivery] = (await deliveriesOf(id)).deliveries
  const replay = `/deliveries/${delivery!.deliveryId}/replay`
  const asks = [
    ...[
      ['GET', '/deliveries'],
      ['DELETE', ''],
      ['POST', '/rotate'],
      ['POST', '/enable'],
    ],
    ...[
      ['POST', '/test'],
      ['POST', replay],
    ],
  ] as ['GET' | 'POST' | 'DELETE', string][]
  for (const [method, rest] of asks) {
    const theirs = await send(stack, method, `${ROOT}/${id}${rest}`, { apiKey: otherKey })
    const none = await send(stack, method, `${ROOT}/wh_none${rest}`, { apiKey: otherKey })
    expect([codeOf(theirs), codeOf(none)]).toEqual(['NOT_FOUND', 'NOT_FOUND'])
  }
  // Another account can't repeat this account's message, even with its own endpoint.
  const mine = await send(stack, 'POST', ROOT, { body: { url: receiver.url }, apiKey: otherKey })
  const own = (mine.body as unknown as Shown).webhook.webhookId
  const stolen = await send(stack, 'POST', `${ROOT}/${own}${replay}`, { apiKey: otherKey })
  expect(codeOf(stolen)).toBe('NOT_FOUND')
  const words = ['key', 'add', '--account', 'acme', '--scopes', 'read']
  const { apiKey } = await stack.operate<{ apiKey: string }>(...words)
  for (const [method, rest] of asks.slice(1)) {
    const answer = await send(stack, method, `${ROOT}/${id}${rest}`, { apiKey })
    expect(codeOf(answer)).toBe('FORBIDDEN')
  }
  expect((await send(stack, 'GET', `${ROOT}/${id}/deliveries?limit=1`, { apiKey })).status).toBe(
    200,
  )
})
