import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import {
  codeOf,
  countOrders,
  order,
  orderBody,
  placed,
  quoteOf,
  send,
  solSend,
} from './partner-client.ts'

let stack: HttpStack
let keys = 0
const newKey = () => `key-${(keys += 1)}`
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

describe('a retry', () => {
  it('with the same key returns the same bytes and makes no second order', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    const before = await countOrders(stack)
    const again = await order(stack, body, key)
    expect(again.text).toBe(answer.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(answer.headers.get('idempotent-replayed')).toBe('false')
    expect(await countOrders(stack)).toBe(before)
  })

  it('without a key gets the order of its quote, whichever key made the order', async () => {
    const { quote, body, answer } = await placed(stack, solSend(stack), newKey())
    expect((await order(stack, body)).text).toBe(answer.text)
    expect((await order(stack, body, quote.quoteId)).text).toBe(answer.text)
  })

  it('with a key finds that an order without a key has used its quote, and makes no second order', async () => {
    const { quote, body, answer } = await placed(stack, solSend(stack))
    const before = await countOrders(stack)
    expect(codeOf(await order(stack, body, newKey()))).toBe('QUOTE_ALREADY_USED')
    expect((await order(stack, body)).text).toBe(answer.text)
    expect((await order(stack, body, quote.quoteId)).text).toBe(answer.text)
    expect(await countOrders(stack)).toBe(before)
  })

  it('may be written differently: order of members, white space, escapes, 45 and 45.0', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    const reversed = Object.fromEntries(Object.entries(body).reverse())
    const text = JSON.stringify(reversed, null, 3)
      .replace('"mode"', '"mo\\u0064e"')
      .replace(/"duration": ([0-9]+)/, '"duration": $1.0')
    expect((await order(stack, undefined, key, { text })).text).toBe(answer.text)
  })

  it('long after the quote expired still gets the order', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    stack.advanceMs(7_200_000)
    expect((await order(stack, body, key)).text).toBe(answer.text)
    expect((await order(stack, body)).text).toBe(answer.text)
  })

  it('gets QUOTE_EXPIRED once the epoch’s key is destroyed, never a second order', async () => {
    const { body } = await placed(stack, solSend(stack))
    const before = await countOrders(stack)
    for (const epoch of await stack.secrets.list()) await stack.secrets.destroy(epoch)
    expect(codeOf(await order(stack, body))).toBe('QUOTE_EXPIRED')
    expect(await countOrders(stack)).toBe(before)
    // A destroyed key may sign quotes for up to a second, so the clock is advanced by a second.
    stack.advanceMs(1_000)
  })
})

describe('a key', () => {
  it('with other terms is a conflict, and with an altered quote it is a mismatch', async () => {
    const key = newKey()
    const request = solSend(stack)
    const { quote, body } = await placed(stack, request, key)
    const other = solSend(stack).recipientAddress
    for (const change of [
      { recipientAddress: other },
      { senderAddress: other },
      { feeBps: 0 },
      { reference: 'x' },
    ]) {
      expect(codeOf(await order(stack, { ...body, ...change }, key))).toBe('IDEMPOTENCY_CONFLICT')
    }
    const altered = { ...body, quote: { ...quote, amountOut: '1' } }
    expect(codeOf(await order(stack, altered, key))).toBe('QUOTE_MISMATCH')
    const second = await quoteOf(stack, request)
    const answer = await order(stack, orderBody(second.quote, request), key)
    expect(codeOf(answer)).toBe('IDEMPOTENCY_CONFLICT')
    expect(answer.status).toBe(409)
  })

  it('belongs to its account: the same key and quote in another account are unrelated', async () => {
    const key = newKey()
    const { body } = await placed(stack, solSend(stack), key)
    await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
    expect(codeOf(await order(stack, body, key, { apiKey }))).toBe('QUOTE_MISMATCH')
    const tracking = (await order(stack, body, key)).body['order'] as { trackingId: string }
    const url = `/transfer/v1/status/${tracking.trackingId}`
    expect(codeOf(await send(stack, 'GET', url, { apiKey }))).toBe('ORDER_NOT_FOUND')
    const { orders } = (await send(stack, 'GET', '/transfer/v1/orders', { apiKey })).body
    expect(orders).toEqual([])
  })

  it('is shared by all API keys of an account', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'acme')
    expect((await order(stack, body, key, { apiKey })).text).toBe(answer.text)
  })

  it('stays unused after a refusal', async () => {
    const key = newKey()
    const request = solSend(stack)
    const { quote } = await quoteOf(stack, request)
    const body = orderBody(quote, request)
    const altered = { ...body, quote: { ...quote, min: '1' } }
    expect(codeOf(await order(stack, altered, key))).toBe('QUOTE_MISMATCH')
    expect(codeOf(await order(stack, { ...body, extra: 1 }, key))).toBe('INVALID_REQUEST')
    expect((await order(stack, body, key)).headers.get('idempotent-replayed')).toBe('false')
  })

  it('of another order does not make a used quote usable again', async () => {
    const { body } = await placed(stack, solSend(stack), newKey())
    const before = await countOrders(stack)
    expect(codeOf(await order(stack, body, newKey()))).toBe('QUOTE_ALREADY_USED')
    expect(await countOrders(stack)).toBe(before)
  })

  it.each(['with', 'without'])(
    'that is the quoteId of an order made %s this key belongs to that order: another quote is a conflict',
    async (how) => {
      const request = solSend(stack)
      const { quote } = await quoteOf(stack, request)
      const { quoteId } = quote
      const first = await order(
        stack,
        orderBody(quote, request),
        how === 'with' ? quoteId : undefined,
      )
      expect(first.status).toBe(200)
      const before = await countOrders(stack)
      const other = await quoteOf(stack, request)
      const second = await order(stack, orderBody(other.quote, request), quoteId)
      expect([second.status, codeOf(second)]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
      expect(await countOrders(stack)).toBe(before)
      expect((await order(stack, orderBody(quote, request), quoteId)).text).toBe(first.text)
    },
  )

  it('that is a quoteId makes one order, even if two quotes are ordered with it at the same time', async () => {
    const request = solSend(stack)
    const [one, two] = [await quoteOf(stack, request), await quoteOf(stack, request)]
    const before = await countOrders(stack)
    const answers = await Promise.all(
      [one, two].map(({ quote }) => order(stack, orderBody(quote, request), one.quote.quoteId)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countOrders(stack)).toBe(before + 1)
  })

  it('may be the text of a quoteId of another account', async () => {
    const { quote } = await quoteOf(stack, solSend(stack))
    const { answer } = await placed(stack, solSend(stack), quote.quoteId)
    expect(answer.status).toBe(200)
  })
})
