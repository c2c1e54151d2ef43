import { unixSeconds } from '@sotto/protocol'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { httpSender } from '../../src/adapters/webhooks/http-sender.ts'
import { deliverDue } from '../../src/notify/deliver-webhooks.ts'
import { EndpointCircuits } from '../../src/notify/endpoint-circuits.ts'
import { Hourly } from '../../src/notify/hourly.ts'
import { WorkPool } from '../../src/running/work-pool.ts'
import { ChainOfSteps, DEADLINE } from '../store/chain-of-steps.ts'
import { ACCOUNT, NEW_WEBHOOK, NOW_MS, openStores, type Stores } from '../store/open-stores.ts'
import { HandClock } from './hand-clock.ts'
import { startReceiver, type Receiver } from './receiver.ts'

const EXPIRY = unixSeconds(DEADLINE + 86_400n)

let stores: Stores
let receiver: Receiver
let orderId: Uint8Array
beforeEach(async () => {
  stores = await openStores('memory')
  receiver = await startReceiver()
  const endpoint = { id: 'wh_one', accountId: ACCOUNT, url: receiver.url, createdAtMs: NOW_MS }
  await stores.webhooks.tryAdd({ ...endpoint, ...NEW_WEBHOOK }, 1)
  const chain = await ChainOfSteps.begin(stores)
  orderId = await chain.deposited({ reference: 'payroll', expiry: EXPIRY })
})
afterEach(async () => {
  await receiver.close()
  await stores.close()
})

/** Sends the due messages. */
async function round(): Promise<void> {
  const workPool = new WorkPool(1)
  await deliverDue(
    {
      ...{ outbox: stores.outbox, webhooks: stores.webhooks, clock: new HandClock(NOW_MS) },
      log: { alert: () => undefined, failed: () => undefined, event: () => undefined },
      sender: httpSender({ allowsLoopback: true, timeoutMs: 3_000 }),
      secrets: { apiKeyHmac: async () => new Uint8Array(32) },
      circuits: new EndpointCircuits(),
      hourly: new Hourly(NOW_MS),
    },
    workPool,
    new AbortController().signal,
  )
  await workPool.idle()
}

async function notice(isOpen: boolean): Promise<void> {
  const [ending] = await stores.settlement.listEnding(unixSeconds(EXPIRY - 43_200n))
  const { expiry: end, ...order } = ending!
  await stores.settlement.tryNoticeEnd({ ...order, end, isRenewed: false }, isOpen, NOW_MS)
  await round()
}

it('sends the notice of a balance’s end once', async () => {
  await round()
  await notice(true)
  await notice(true)
  const id = Buffer.from(orderId).toString('base64url')
  expect(receiver.received).toHaveLength(2)
  const { body, headers } = receiver.received[1]!
  expect(JSON.parse(body)).toEqual({
    type: 'balance.ending',
    timestamp: new Date(NOW_MS).toISOString(),
    data: { trackingId: `tr_${id}`, endsAt: '2027-01-16T08:10:00.000Z', reference: 'payroll' },
  })
  expect(headers['webhook-id']).toBe(`evt_${id}_6`)
})

it('sends the notice of a postponed end with its own id', async () => {
  await round()
  await notice(true)
  const end = unixSeconds(EXPIRY + 86_400n)
  await stores.settlement.tryNoticeEnd({ orderId, end, isRenewed: true }, true, NOW_MS)
  await round()
  const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
  const id = Buffer.from(orderId).toString('base64url')
  expect(ids.slice(1)).toEqual([`evt_${id}_6`, `evt_${id}_6_${end / 86_400n}`])
})

it('sends no notice for a balance that has already ended', async () => {
  await round()
  await notice(false)
  expect(receiver.received).toHaveLength(1)
})
