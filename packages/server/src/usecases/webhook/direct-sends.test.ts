import { expect, it } from 'vitest'
import type { OrderEvent } from '../../domain/order-event.ts'
import type { SendResult } from '../../ports/webhook-sender.ts'
import type { Webhook } from '../../ports/webhook-store.ts'
import { DirectSends } from './direct-sends.ts'
import { testWebhook, type WebhookDependencies } from './manage-webhooks.ts'
import { replayDelivery, type DeliveryDependencies } from './webhook-deliveries.ts'

const DELIVERY_ID = `evt_${'A'.repeat(22)}_5`

/** An API in which every account has the endpoint `wh_1`. A message stays open until the test calls `answer`. */
function startApi() {
  let nowMs = 1_000_000
  const open: ((result: SendResult) => void)[] = []
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
    webhooks: { list: async () => [webhook] },
    random: { bytes: (size: number) => new Uint8Array(size) },
    secrets: { apiKeyHmac: async () => new Uint8Array(32) },
    sender: { send: () => new Promise<SendResult>((resolve) => open.push(resolve)) },
    orders: { readOrder: async () => ({ order: { id: event.orderId, epoch: 1 } }) },
    outbox: { read: async () => [{ event, name: '', epoch: 1, dueAtMs: undefined }] },
  } as unknown as WebhookDependencies & DeliveryDependencies
  const turns = () => new Promise(setImmediate)
  return {
    open,
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
