import { createHmac } from 'node:crypto'
import { Webhook as Verifier } from 'standardwebhooks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { httpSender } from '../../src/adapters/webhooks/http-sender.ts'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { SENT_SEQUENCES } from '../../src/domain/order-event.ts'
import { POLLS } from '../../src/domain/webhook-retries.ts'
import { formatSecret, secretName } from '../../src/domain/webhook-secret.ts'
import { deliverDue } from '../../src/notify/deliver-webhooks.ts'
import { EndpointCircuits } from '../../src/notify/endpoint-circuits.ts'
import { Hourly } from '../../src/notify/hourly.ts'
import type { NotifyDependencies } from '../../src/notify/notify-dependencies.ts'
import type { WebhookSender } from '../../src/ports/webhook-sender.ts'
import { WorkPool } from '../../src/running/work-pool.ts'
import { ChainOfSteps, SEALED } from '../store/chain-of-steps.ts'
import {
  ACCOUNT,
  EPOCHS,
  NEW_WEBHOOK,
  NOW_MS,
  openStores,
  OTHER_ACCOUNT,
  type Stores,
} from '../store/open-stores.ts'
import { HandClock } from './hand-clock.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const HOUR_MS = 3_600_000
const PEPPER = new TextEncoder().encode('a pepper of thirty-two bytes....')

let stores: Stores
let chain: ChainOfSteps
let clock: HandClock
let d: NotifyDependencies
let events: string[]
const receivers: Receiver[] = []

beforeEach(async () => {
  stores = await openStores('memory')
  chain = await ChainOfSteps.begin(stores)
  // The messages are signed with the time of this clock, which isn't the machine's time.
  clock = new HandClock(NOW_MS)
  events = []
  const log = { alert: () => undefined, failed: () => undefined, event: (name: string) => void events.push(name) } // oxfmt-ignore
  d = {
    ...{ outbox: stores.outbox, webhooks: stores.webhooks, clock, log },
    // This sender has the usual time limit. On a busy machine, a response may take a second. With a shorter limit, the
    // message would then be sent twice.
    sender: httpSender({ allowsLoopback: true }),
    secrets: { apiKeyHmac },
    circuits: new EndpointCircuits(),
    hourly: new Hourly(NOW_MS),
  }
})
afterEach(async () => {
  await Promise.all(receivers.splice(0).map((receiver) => receiver.close()))
  await stores.close()
})

async function apiKeyHmac(name: string): Promise<Uint8Array> {
  return new Uint8Array(createHmac('sha256', PEPPER).update(name).digest())
}

const secretOf = async (webhookId: string, version = 1) =>
  formatSecret(await apiKeyHmac(secretName(webhookId, version)))

/** Starts a receiver, and registers it for an account under an id. */
async function register(id: string, accountId = ACCOUNT, location?: string): Promise<Receiver> {
  const receiver = await startReceiver(location)
  receivers.push(receiver)
  await stores.webhooks.tryAdd(
    { id, accountId, url: receiver.url, createdAtMs: NOW_MS, ...NEW_WEBHOOK },
    9,
  )
  return receiver
}

/** Runs one poll of the due messages and waits until it ends. */
async function round(worker: Partial<NotifyDependencies> = {}): Promise<number> {
  const workPool = new WorkPool(256)
  const due = await deliverDue({ ...d, ...worker }, workPool, new AbortController().signal)
  await workPool.idle()
  return due
}

/** Runs all remaining polls. Every change has the same number of polls. */
async function pollToTheEnd(): Promise<void> {
  for (let count = 1; count < POLLS; count += 1) {
    clock.advance(25 * HOUR_MS)
    await round()
  }
  expect(await round()).toBe(0)
}

const idsAt = (receiver: Receiver) => receiver.received.map(({ headers }) => headers['webhook-id'])

/** Returns a message after the independent verifier has checked it. @throws Error if the signature is wrong. */
function verified(receiver: Receiver, secret: string, index = 0): Record<string, unknown> {
  const { body, headers } = receiver.received[index]!
  const verifier = new Verifier(secret)
  const sentAt = new Date(Number(headers['webhook-timestamp']) * 1_000)
  // The verifier refuses messages that are older than five minutes by the machine's clock. This test uses another
  // clock, so it compares the signatures directly.
  const signature = verifier.sign(headers['webhook-id']!, sentAt, body)
  if (!headers['webhook-signature']!.split(' ').includes(signature))
    throw new Error('not signed with this secret')
  return JSON.parse(body) as Record<string, unknown>
}

it('each change is sent with its sequence number and a valid signature', async () => {
  const receiver = await register('wh_one')
  const orderId = await chain.deposited({ reference: 'invoice 7' })
  await round()
  const sealed = { epoch: EPOCHS[0], sealedOutcome: SEALED }
  const end = { ...sealed, orderId, to: 'delivered', attempt: undefined } as const
  await stores.settlement.tryComplete(end, NOW_MS)
  await round()
  const secret = await secretOf('wh_one')
  const trackingId = `tr_${Buffer.from(orderId).toString('base64url')}`
  const data = { trackingId, reference: 'invoice 7' }
  const timestamp = new Date(NOW_MS).toISOString()
  expect([0, 1].map((index) => verified(receiver, secret, index))).toEqual([
    {
      ...{ type: 'order.deposited', timestamp },
      data: { ...data, status: 'deposited', final: false, sequence: 2 },
    },
    {
      ...{ type: 'order.delivered', timestamp },
      data: { ...data, status: 'delivered', final: true, sequence: 5 },
    },
  ])
  expect(() => verified(receiver, formatSecret(PEPPER))).toThrow('not signed with this secret')
  expect(new Set(idsAt(receiver)).size).toBe(2)
  expect(await round()).toBe(0)
})

it('a message is accepted by the verifier that partners use', async () => {
  const receiver = await register('wh_one')
  await chain.deposited()
  // The verifier uses the machine's clock, so only the outbox gets the test's time.
  const claimDue = (_: number, limit: number) => stores.outbox.claimDue(NOW_MS, limit)
  const clock = { ...systemClock, sleep: async () => undefined }
  await round({ clock, outbox: { ...stores.outbox, claimDue } })
  const { body, headers } = receiver.received[0]!
  const verifier = new Verifier(await secretOf('wh_one'))
  expect(verifier.verify(body, headers)).toMatchObject({ type: 'order.deposited' })
  expect(() => verifier.verify(body.replace('deposited', 'delivered'), headers)).toThrow()
})

it('messages are signed with both secrets while a rotation overlaps', async () => {
  const receiver = await register('wh_one')
  await stores.webhooks.tryRotate(ACCOUNT, 'wh_one', NOW_MS + HOUR_MS)
  const [old, fresh] = [await secretOf('wh_one', 1), await secretOf('wh_one', 2)]
  await chain.deposited()
  await round()
  verified(receiver, old)
  verified(receiver, fresh)
  clock.advance(HOUR_MS)
  await chain.deposited()
  await round()
  verified(receiver, fresh, 1)
  expect(() => verified(receiver, old, 1)).toThrow('not signed with this secret')
})

it('a message is repeated for three days with the same id and bytes', async () => {
  const receiver = await register('wh_one')
  receiver.answer = 500
  const orderId = await chain.deposited()
  const startMs = clock.nowMs()
  let lastMs = startMs
  for (let rounds = 0; rounds < 40_000; rounds += 1) {
    const before = receiver.received.length
    await round()
    if (receiver.received.length > before) lastMs = clock.nowMs()
    clock.advance(10 * 60_000)
    const [stored] = await stores.outbox.read([
      { id: orderId, epoch: EPOCHS[0], numbers: SENT_SEQUENCES },
    ])
    if (stored!.event.sends![0]!.state === 'failed') break
  }
  expect(receiver.received).toHaveLength(11)
  expect(new Set(idsAt(receiver)).size).toBe(1)
  expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1)
  const hours = (lastMs - startMs) / HOUR_MS
  expect([hours >= 71, hours <= 85]).toEqual([true, true])
  clock.advance(HOUR_MS)
  expect(await round()).toBe(0)
  expect(events.at(-1)).toBe('webhook_given_up')
})

it('a message arrives with a retry after the endpoint works again', async () => {
  const receiver = await register('wh_one')
  receiver.answer = 503
  await chain.deposited()
  await round()
  receiver.answer = 200
  await round()
  expect(receiver.received).toHaveLength(1)
  clock.advance(34_000)
  await round()
  expect(receiver.received).toHaveLength(2)
  await pollToTheEnd()
  expect(receiver.received).toHaveLength(2)
})

it('an endpoint that answers 410 gets no messages until it is enabled again', async () => {
  const receiver = await register('wh_one')
  receiver.answer = 410
  await chain.deposited()
  await round()
  await chain.deposited()
  await round()
  const disabledAtMs = async () => (await stores.webhooks.list(ACCOUNT))[0]?.disabledAtMs
  // The endpoint isn't stored as disabled yet. The time of an immediate write would reveal which message was for this
  // endpoint.
  expect([await disabledAtMs(), events]).toEqual([undefined, []])
  clock.advance(100 * HOUR_MS)
  await round()
  expect(await disabledAtMs()).toBe(NOW_MS + 100 * HOUR_MS - (NOW_MS % HOUR_MS))
  expect(events).toEqual(['webhook_disabled'])
  await chain.deposited()
  await round()
  expect(receiver.received).toHaveLength(1)
  receiver.answer = 204
  await stores.webhooks.tryEnable(ACCOUNT, 'wh_one')
  await chain.deposited()
  await round()
  expect(receiver.received).toHaveLength(2)
})

it('a redirect is not followed', async () => {
  const elsewhere = await startReceiver()
  receivers.push(elsewhere)
  const receiver = await register('wh_one', ACCOUNT, elsewhere.url)
  for (const status of [301, 302, 303, 307, 308]) {
    receiver.answer = status
    await chain.deposited()
    await round({ circuits: new EndpointCircuits() })
  }
  expect(receiver.received).toHaveLength(5)
  expect(elsewhere.received).toEqual([])
  await d.hourly.turn(d, NOW_MS + HOUR_MS)
  expect(events).toEqual(Array.from({ length: 5 }, () => 'webhook_attempt_failed'))
})

it('a dead endpoint with many changes delays no other endpoint', async () => {
  const dead = await register('wh_dead', OTHER_ACCOUNT)
  const beside = await register('wh_beside', OTHER_ACCOUNT)
  const live = await register('wh_live', ACCOUNT)
  dead.answer = 'never'
  for (let count = 0; count < 60; count += 1) await chain.deposited({ accountId: OTHER_ACCOUNT })
  await chain.deposited()
  // Only the dead endpoint has the short time limit. The other endpoints have enough time to respond, even on a busy
  // machine.
  const impatient = httpSender({ allowsLoopback: true, timeoutMs: 300 })
  const send: WebhookSender['send'] = (message) =>
    (message.url === dead.url ? impatient : d.sender).send(message)
  const sender = { ...d.sender, send }
  await round({ sender })
  expect(live.received).toHaveLength(1)
  expect(new Set(idsAt(beside)).size).toBe(60)
  // The worker occasionally sent a message to test whether the endpoint works again.
  expect(dead.received.length).toBeLessThan(12)
  await chain.deposited()
  await round({ sender })
  expect(live.received).toHaveLength(2)
})

it('a message is sent again with the same id if a worker dies after sending it', async () => {
  const receiver = await register('wh_one')
  await chain.deposited()
  const died = { ...stores.outbox, keep: () => Promise.reject(new Error('killed')) }
  await round({ outbox: died })
  expect(await round()).toBe(0)
  clock.advance(34_000)
  await round()
  const [first, second, ...none] = idsAt(receiver)
  expect([second, none]).toEqual([first, []])
  await pollToTheEnd()
  expect(receiver.received).toHaveLength(2)
})

it('two workers send each due message once', async () => {
  const receiver = await register('wh_one')
  for (let count = 0; count < 20; count += 1) await chain.deposited()
  for (let rounds = 0; rounds < 12; rounds += 1) {
    await Promise.all([round(), round({ circuits: new EndpointCircuits() })])
    clock.advance(HOUR_MS)
  }
  expect(receiver.received).toHaveLength(20)
  expect(new Set(idsAt(receiver)).size).toBe(20)
})

it('an account is notified only of its own orders', async () => {
  const mine = await register('wh_mine', ACCOUNT)
  const theirs = await register('wh_theirs', OTHER_ACCOUNT)
  await chain.deposited({ accountId: OTHER_ACCOUNT })
  await round()
  expect([mine.received.length, theirs.received.length]).toEqual([0, 1])
})
