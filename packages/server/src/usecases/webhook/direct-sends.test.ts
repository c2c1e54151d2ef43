import { expect, it } from 'vitest'
import type { OrderEvent } from '../../domain/order-event.ts'
import type { SendResult } from '../../ports/webhook-sender.ts'
import type { Webhook } from '../../ports/webhook-store.ts'
import { DirectSends } from './direct-sends.ts'
import { addWebhook, testWebhook, type WebhookDependencies } from './manage-webhooks.ts'
import { replayDelivery, type DeliveryDependencies } from './webhook-deliveries.ts'

const DELIVERY_ID = `evt_${'A'.repeat(22)}_5`

/** An API in which every account has the endpoint `wh_1`. A message stays open until the test calls `answer`. */
function startApi() {
  let nowMs = 1_000_000
  const open: ((result: SendResult) => void)[] = []
  const queries: ((refusal: string) => void)[] = []
  const endpoints: Webhook[] = []
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const webhook = { id: 'wh_1', url: 'https://partner.example/', secretVersion: 1 } as Webhook
  const event: OrderEvent = {
    ...{ orderId: new Uint8Array(16), accountId: 'acme', status: 'delivered', atMs: 1 },
    reference: undefined,
    sends: [
      { webhookId: 'wh_1', state: 'failed', attempts: 1, lastAtMs: 1, lastStatus: undefined },
    ],
  }
  const d = {
    ...{ clock, directSends: new DirectSends(clock) },
    webhooks: { list: async () => endpoints },
    random: { bytes: (size: number) => new Uint8Array(size) },
    secrets: { apiKeyHmac: async () => new Uint8Array(32) },
    sender: {
      send: () => new Promise<SendResult>((resolve) => open.push(resolve)),
      refusalOf: () => new Promise<string>((resolve) => queries.push(resolve)),
    },
    orders: { readOrder: async () => ({ order: { id: event.orderId, epoch: 1 } }) },
    outbox: { read: async () => [{ event, name: '', epoch: 1, dueAtMs: undefined }] },
  } as unknown as WebhookDependencies & DeliveryDependencies
  endpoints.push(webhook)
  const turns = () => new Promise(setImmediate)
  return {
    ...{ open, queries, endpoints, turns },
    add: (url: string) => addWebhook(d, 'acme', url),
    passMs: (ms: number) => void (nowMs += ms),
    test: (account = 'acme') => testWebhook(d, account, 'wh_1'),
    replay: () => replayDelivery(d, 'acme', 'wh_1', DELIVERY_ID),
    answer: async () => {
      await turns()
      for (const end of open.splice(0)) end({ kind: 'answered', status: 204 })
    },
  }
}

it('refuses tests and replays if their account has requested too many', async () => {
  const { open, passMs, test, replay, answer } = startApi()
  for (let count = 0; count < 5; count += 1) {
    const both = Promise.all([test(), replay()])
    await answer()
    await both
  }
  for (const again of [test, replay]) {
    await expect(again()).rejects.toMatchObject({
      ...{ code: 'RATE_LIMITED', context: { retryAfterSeconds: 1 } },
    })
  }
  expect(open).toHaveLength(0)
  const other = test('other')
  passMs(1_000)
  const later = test()
  await answer()
  expect(await Promise.all([other, later])).toMatchObject([{ arrived: true }, { arrived: true }])
})

it('refuses a test if four messages of its account are not answered yet', async () => {
  const { open, test, answer } = startApi()
  const waiting = [test(), test(), test(), test()]
  await expect(test()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  expect(open).toHaveLength(4)
  await answer()
  await Promise.all(waiting)
  const next = test()
  await answer()
  expect(await next).toMatchObject({ arrived: true })
})

it('refuses a registration if four name queries of its account are not answered yet', async () => {
  const { queries, turns, add } = startApi()
  const waiting = [1, 2, 3, 4].map((part) => add(`https://${part}.slow.example/`))
  await turns()
  expect(queries).toHaveLength(4)
  await expect(add('https://5.slow.example/')).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  for (const end of queries) end('the host has no address')
  for (const one of waiting)
    await expect(one).rejects.toMatchObject({ code: 'WEBHOOK_URL_REFUSED' })
})

it('makes no name query for an account that has the maximum number of endpoints', async () => {
  const { queries, endpoints, add } = startApi()
  endpoints.push(...Array.from({ length: 4 }, () => endpoints[0]!))
  const refused = { code: 'WEBHOOK_LIMIT_REACHED' }
  await expect(add('https://one-more.example/')).rejects.toMatchObject(refused)
  expect(queries).toHaveLength(0)
})
