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
  it('with the same key returns the same bytes', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    const before = await countOrders(stack)
    const again = await order(stack, body, key)
    expect(again.text).toBe(answer.text)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(answer.headers.get('idempotent-replayed')).toBe('false')
    expect(await countOrders(stack)).toBe(before)
  })

  it('without a key gets the order of its quote', async () => {
    const { quote, body, answer } = await placed(stack, solSend(stack), newKey())
    expect((await order(stack, body)).text).toBe(answer.text)
    expect((await order(stack, body, quote.quoteId)).text).toBe(answer.text)
  })

  it('with a key is QUOTE_ALREADY_USED if the order was made without a key', async () => {
    const { quote, body, answer } = await placed(stack, solSend(stack))
    const before = await countOrders(stack)
    expect(codeOf(await order(stack, body, newKey()))).toBe('QUOTE_ALREADY_USED')
    expect((await order(stack, body)).text).toBe(answer.text)
    expect((await order(stack, body, quote.quoteId)).text).toBe(answer.text)
    expect(await countOrders(stack)).toBe(before)
  })

  it('may write the same JSON values differently', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    const reversed = Object.fromEntries(Object.entries(body).reverse())
    const text = JSON.stringify(reversed, null, 3)
      .replace('"mode"', '"mo\\u0064e"')
      .replace(/"duration": ([0-9]+)/, '"duration": $1.0')
    expect((await order(stack, undefined, key, { text })).text).toBe(answer.text)
  })

  it('gets the order even long after the quote expired', async () => {
    const key = newKey()
    const { body, answer } = await placed(stack, solSend(stack), key)
    stack.advanceMs(7_200_000)
    expect((await order(stack, body, key)).text).toBe(answer.text)
    expect((await order(stack, body)).text).toBe(answer.text)
  })

  it('gets QUOTE_EXPIRED once the epoch’s key is destroyed', async () => {
    const { body } = await placed(stack, solSend(stack))
    const before = await countOrders(stack)
    for (const epoch of await stack.secrets.list()) await stack.secrets.destroy(epoch)
    expect(codeOf(await order(stack, body))).toBe('QUOTE_EXPIRED')
    expect(await countOrders(stack)).toBe(before)
    // The service may still sign quotes with a destroyed key for a second. The clock moves past that second, so that
    // later tests get valid quotes.
    stack.advanceMs(1_000)
  })
})

describe('a key', () => {
  it('is a conflict with other terms', async () => {
    const key = newKey()
    const request = solSend(stack)
    const { quote, body } = await placed(stack, request, key)
    const other = solSend(stack).recipientAddress
    for (const change of [
      { recipientAddress: other },
      { senderAddress: other },
      { feeBps: 1, feeRecipientAddress: other },
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

  it('finds no order of another account', async () => {
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

  it('that is new does not make a used quote usable again', async () => {
    const { body } = await placed(stack, solSend(stack), newKey())
    const before = await countOrders(stack)
    expect(codeOf(await order(stack, body, newKey()))).toBe('QUOTE_ALREADY_USED')
    expect(await countOrders(stack)).toBe(before)
  })

  it.each(['with this key', 'without a key', 'with another key'] as const)(
    'that is the quoteId of an order made %s is refused for another quote',
    async (how) => {
      const request = solSend(stack)
      const { quote } = await quoteOf(stack, request)
      const { quoteId } = quote
      const keys = {
        'with this key': quoteId,
        'with another key': newKey(),
        'without a key': undefined,
      }
      const first = await order(stack, orderBody(quote, request), keys[how])
      expect(first.status).toBe(200)
      const before = await countOrders(stack)
      const other = await quoteOf(stack, request)
      const second = await order(stack, orderBody(other.quote, request), quoteId)
      expect([second.status, codeOf(second)]).toEqual([409, 'IDEMPOTENCY_CONFLICT'])
      expect(await countOrders(stack)).toBe(before)
      expect((await order(stack, orderBody(quote, request), quoteId)).text).toBe(first.text)
    },
  )

  it('that is a quoteId makes one order even in a race of two quotes', async () => {
    const request = solSend(stack)
    const [one, two] = [await quoteOf(stack, request), await quoteOf(stack, request)]
    const before = await countOrders(stack)
    const answers = await Promise.all(
      [one, two].map(({ quote }) => order(stack, orderBody(quote, request), one.quote.quoteId)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await countOrders(stack)).toBe(before + 1)
  })

  it('may be the quoteId of a quote that was not ordered', async () => {
    const { quote } = await quoteOf(stack, solSend(stack))
    const { answer } = await placed(stack, solSend(stack), quote.quoteId)
    expect(answer.status).toBe(200)
  })
})
