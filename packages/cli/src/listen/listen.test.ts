import type { OrderSummaryRecord } from '@sotto/sdk/server'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { pollAccount } from './follow-events.ts'
import { forwardEvent, secretBytes } from './forward-event.ts'
import { eventOf } from './order-event.ts'

const SECRET = `whsec_${Buffer.from('a secret of thirty-two bytes now').toString('base64')}`

const order = (trackingId: string, status: OrderSummaryRecord['status']) =>
  ({
    trackingId,
    status,
    final: false,
    updatedAt: '2026-11-21T13:24:50.000Z',
  }) as OrderSummaryRecord

it('reports each status change of an order once, but not the initial statuses', async () => {
  const polls = [
    [order('tr_a', 'deposited')],
    [order('tr_b', 'awaiting_deposit'), order('tr_a', 'deposited')],
    [order('tr_b', 'deposited'), order('tr_a', 'delivered'), order('tr_c', 'awaiting_deposit')],
    [order('tr_b', 'expired'), order('tr_a', 'delivered'), order('tr_c', 'expired')],
  ]
  const stop = new AbortController()
  const orders = async function* () {
    const poll = polls.shift()
    if (poll === undefined) stop.abort(new Error('seen enough'))
    yield* poll ?? []
  }
  const reported: string[] = []
  const listening = async () => {
    for await (const { id, type } of pollAccount(
      { orders },
      { intervalMs: 0, signal: stop.signal },
    )) {
      reported.push(`${id} ${type}`)
    }
  }
  await expect(listening()).rejects.toThrow()
  // The second message of tr_b has another id than the first, because receivers drop repeated ids.
  expect(reported).toEqual([
    'evt_a_5 order.delivered',
    'evt_b_2 order.deposited',
    'evt_c_2 order.expired',
    'evt_b_5 order.expired',
  ])
})

it('forwards messages that Standard Webhooks can verify, and repeats a message if the receiver fails', async () => {
  const verified: unknown[] = []
  let requests = 0
  const server = createServer((request, response) => {
    void (async () => {
      const body = await text(request)
      requests += 1
      const headers = request.headers as Record<string, string>
      verified.push(new Webhook(SECRET).verify(body, headers))
      response.writeHead(requests === 1 ? 503 : 204).end()
    })()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const event = eventOf(order('tr_a', 'delivered'))!
  const url = `http://127.0.0.1:${port}/hook`
  const answer = await forwardEvent(url, event, secretBytes(SECRET), new AbortController().signal)
  server.close()
  expect(answer).toBe(204)
  const { id: _id, ...message } = event
  expect(verified).toEqual([message, message])
})
