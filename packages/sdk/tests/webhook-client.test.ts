import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from '../../server/tests/http/http-stack.ts'
import { startReceiver, type Receiver } from '../../server/tests/webhooks/receiver.ts'
import { createSottoClient, SottoApiError, SottoTransportError, verifyWebhook } from '../server.ts'
import { startScriptedService, type ScriptedService } from './scripted-service.ts'

describe('the endpoints of an account of a running service', () => {
  let stack: HttpStack
  let receiver: Receiver
  beforeAll(async () => {
    ;[stack, receiver] = await Promise.all([startHttpStack(), startReceiver()])
  })
  afterAll(async () => {
    await receiver?.close()
    await stack?.close()
  })

  it('can be created, tested, rotated, listed and removed, and their messages verified', async () => {
    const { webhooks } = createSottoClient({ baseUrl: stack.baseUrl, apiKey: stack.apiKey })
    const made = await webhooks.create(receiver.url)
    const { webhookId } = made.webhook
    expect(await webhooks.list()).toEqual([made.webhook])
    expect(await webhooks.test(webhookId)).toEqual({
      ...{ arrived: true, responseStatus: 204, problem: null },
    })
    const rotated = await webhooks.rotate(webhookId)
    expect(rotated.webhook.overlapUntil).not.toBeNull()
    await webhooks.test(webhookId)
    const [before, during] = receiver.received
    for (const [message, secret] of [
      [before!, made.secret],
      [during!, made.secret],
      [during!, rotated.secret],
      [during!, [made.secret, rotated.secret]],
    ] as const) {
      const { headers, body } = message
      const { event } = await verifyWebhook(headers, body, secret)
      expect(event).toMatchObject({ type: 'webhook.test', data: {} })
    }
    const { headers, body } = before!
    await expect(verifyWebhook(headers, body, rotated.secret)).rejects.toThrow(
      "none of the message's signatures",
    )
    expect(await webhooks.enable(webhookId)).toEqual(rotated.webhook)
    for await (const one of webhooks.deliveries(webhookId)) throw new Error(one.deliveryId)
    expect(await webhooks.remove(webhookId)).toEqual(rotated.webhook)
    expect(await webhooks.list()).toEqual([])
    const gone = await webhooks.replay(webhookId, 'evt_1').catch((error: unknown) => error)
    expect(gone).toBeInstanceOf(SottoApiError)
    expect(gone).toMatchObject({ code: 'NOT_FOUND' })
  })
})

describe('with a scripted service', () => {
  let service: ScriptedService | undefined
  afterEach(async () => {
    await service?.stop()
    service = undefined
  })
  const open = async (...answers: Parameters<typeof startScriptedService>[0]) => {
    service = await startScriptedService(answers)
    return createSottoClient({ baseUrl: service.baseUrl, apiKey: 'sotto_test_key' }).webhooks
  }

  it('does not repeat a call whose answer is lost', async () => {
    const answer = { status: 200, body: { success: true, webhook: {}, secret: 'whsec_' } }
    const calls = ['create', 'remove', 'rotate', 'test'] as const
    for (const name of calls) {
      const webhooks = await open('cut', answer)
      await expect(webhooks[name]('wh_1')).rejects.toThrow(SottoTransportError)
      expect(service?.received.length).toBe(1)
      await service?.stop()
    }
    const webhooks = await open('cut', answer)
    await expect(webhooks.replay('wh_1', 'evt_1')).rejects.toThrow(SottoTransportError)
    expect(service?.received.length).toBe(1)
  })

  it('reads deliveries page by page, and replays the named delivery', async () => {
    const page = (deliveryId: string, nextCursor: string | null) => {
      return { status: 200, body: { success: true, deliveries: [{ deliveryId }], nextCursor } }
    }
    const replayed = { status: 200, body: { success: true, delivery: { attempts: 2 } } }
    const webhooks = await open(page('evt_1', 'a&b'), page('evt_2', null), replayed)
    const ids: string[] = []
    for await (const { deliveryId } of webhooks.deliveries('wh/1', { pageSize: 1 })) {
      ids.push(deliveryId)
    }
    expect(ids).toEqual(['evt_1', 'evt_2'])
    expect(await webhooks.replay('wh/1', 'evt/1')).toEqual({ attempts: 2 })
    expect(service?.received.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /transfer/v1/webhooks/wh%2F1/deliveries?limit=1',
      'GET /transfer/v1/webhooks/wh%2F1/deliveries?limit=1&cursor=a%26b',
      'POST /transfer/v1/webhooks/wh%2F1/deliveries/evt%2F1/replay',
    ])
  })
})
