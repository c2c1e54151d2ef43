import { ErrorBody } from '@sotto/contract'
import { ownerOf, packOwner } from '@sotto/protocol'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeWallet } from '../settlement/stack/wallet.ts'
import { answerTo } from './answer-to.ts'
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
import { changesOf } from './quote-changes.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

/** An order of a transfer. Its request has every member that such a request can have. */
async function fullOrder(key: string) {
  const partner = { feeBps: 50, feeRecipientAddress: stack.partner.address }
  const request = solSend(stack, partner)
  const { quote } = await quoteOf(stack, request)
  const body = { ...orderBody(quote, request), reference: 'invoice 7' }
  const answer = await order(stack, body, key)
  expect(answer.status).toBe(200)
  return { quote, body, answer }
}

describe('a known key', () => {
  it('is a conflict if any single member is changed or omitted', async () => {
    const { body } = await fullOrder('each')
    const other = makeWallet().address
    const before = await countOrders(stack)
    const changes: Record<string, unknown> = {
      senderAddress: other,
      recipientAddress: other,
      feeBps: 49,
      feeRecipientAddress: other,
      reference: 'invoice 8',
    }
    // The next check fails if the request has a member that `changes` lacks.
    expect(Object.keys(changes).sort()).toEqual(
      Object.keys(body)
        .filter((name) => name !== 'quote')
        .sort(),
    )
    for (const [name, value] of Object.entries(changes)) {
      const changed = await order(stack, { ...body, [name]: value }, 'each')
      expect([name, changed.status, codeOf(changed)]).toEqual([name, 409, 'IDEMPOTENCY_CONFLICT'])
      expect(changed.body['retry']).toBe('never')
    }
    for (const [name, code] of [
      ['feeBps', 'IDEMPOTENCY_CONFLICT'],
      ['reference', 'IDEMPOTENCY_CONFLICT'],
      // A share without a recipient is always invalid, so it is refused before the key is checked.
      ['feeRecipientAddress', 'FEE_RECIPIENT_REQUIRED'],
    ] as const) {
      const { [name]: _, ...rest } = body as Record<string, unknown>
      expect([name, codeOf(await order(stack, rest, 'each'))]).toEqual([name, code])
    }
    expect(await countOrders(stack)).toBe(before)
  })

  it('is the same if a member with its default is added or omitted', async () => {
    const bare = await placed(stack, solSend(stack), 'without feeBps')
    const zero = await placed(stack, solSend(stack, { feeBps: 0 }), 'with feeBps')
    const { feeBps: _, ...omitted } = zero.body
    const own = { recipientAddress: stack.sender.address }
    const key = { balanceKey: Buffer.from(packOwner(ownerOf(4_711n))).toString('hex') }
    const { quote } = await quoteOf(stack, solSend(stack, { ...own, ...key }))
    const topUp = { ...orderBody(quote, solSend(stack, own)), ...key }
    const defaults = { balanceSeconds: 2_592_000, autoReturn: true }
    const topped = await order(stack, { ...topUp, ...defaults }, 'top-up')
    const before = await countOrders(stack)
    for (const [name, first, body] of [
      ['without feeBps', bare.answer, { ...bare.body, feeBps: 0 }],
      ['with feeBps', zero.answer, omitted],
      ['top-up', topped, topUp],
      ['top-up', topped, { ...topUp, feeBps: 0, balanceSeconds: 2_592_000 }],
    ] as const) {
      const again = await order(stack, body, name)
      expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([200, 'true'])
      expect(again.text).toBe(first.text)
    }
    for (const change of [{ feeBps: 1 }, { balanceSeconds: 86_400 }, { autoReturn: false }]) {
      const fee = { feeRecipientAddress: stack.partner.address }
      const body = { ...topUp, ...('feeBps' in change ? fee : {}), ...change }
      expect(codeOf(await order(stack, body, 'top-up'))).toBe('IDEMPOTENCY_CONFLICT')
    }
    expect(await countOrders(stack)).toBe(before)
  })

  it('is a mismatch if any single member of its quote is changed', async () => {
    const { body, quote } = await fullOrder('quote')
    const before = await countOrders(stack)
    for (const altered of changesOf(quote)) {
      const answer = await order(stack, { ...body, quote: altered }, 'quote')
      expect([JSON.stringify(altered), codeOf(answer)]).toEqual([
        JSON.stringify(altered),
        'QUOTE_MISMATCH',
      ])
    }
    // These values have the right types, so only a comparison with the quote detects the change.
    const other = {
      ...{ mode: 'exact_out', issuedAt: quote.expiresAt, expiresAt: quote.issuedAt },
      ...{ sourceAssetId: stack.usdc, destinationAssetId: stack.usdc },
    }
    for (const [name, value] of Object.entries(other)) {
      const answer = await order(stack, { ...body, quote: { ...quote, [name]: value } }, 'quote')
      expect([name, codeOf(answer)]).toEqual([name, 'QUOTE_MISMATCH'])
    }
    expect(await countOrders(stack)).toBe(before)
  })

  it('is a conflict with a new quote even after its epoch’s key is destroyed', async () => {
    const request = solSend(stack)
    await placed(stack, request, 'old')
    for (const epoch of await stack.secrets.list()) await stack.secrets.destroy(epoch)
    // The clock moves to the next epoch. Otherwise the new quote would create a new key for the epoch whose key was
    // destroyed.
    stack.advanceMs(3_600_000)
    const { quote } = await quoteOf(stack, request)
    expect(codeOf(await order(stack, orderBody(quote, request), 'old'))).toBe(
      'IDEMPOTENCY_CONFLICT',
    )
  })
})

describe('the name space of keys', () => {
  it('is separate for each account', async () => {
    await stack.operate('account', 'add', '--id', 'twin', '--name', 'Twin')
    const { apiKey } = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'twin')
    const twin = { ...stack, apiKey }
    const before = await countOrders(stack)
    const own = await placed(stack, solSend(stack), 'same')
    const theirs = await placed(twin, solSend(stack), 'same')
    expect(theirs.order.trackingId).not.toBe(own.order.trackingId)
    expect((await order(stack, own.body, 'same')).text).toBe(own.answer.text)
    expect((await order(twin, theirs.body, 'same')).text).toBe(theirs.answer.text)
    expect(await countOrders(stack)).toBe(before + 2)
  })

  it('is separate from quoteIds', async () => {
    const request = solSend(stack)
    const { quote } = await quoteOf(stack, request)
    const other = await placed(stack, solSend(stack), quote.quoteId)
    // The other order's key is the id of this quote. This quote can still be ordered without a key. A retry with the
    // quote's id as the key then finds this quote's order.
    const body = orderBody(quote, request)
    const made = await order(stack, body)
    expect(made.headers.get('idempotent-replayed')).toBe('false')
    expect((await order(stack, body, quote.quoteId)).text).toBe(made.text)
    expect(made.text).not.toBe(other.answer.text)
    expect((await order(stack, other.body)).text).toBe(other.answer.text)
  })

  it.each([' ', '~'.repeat(255), 'a key, with: punctuation'])(
    'accepts %j unless it is only white space',
    async (key) => {
      // Whitespace around a header's value isn't part of the value, so a key of only whitespace is empty.
      const request = solSend(stack)
      const body = orderBody((await quoteOf(stack, request)).quote, request)
      const answer = await order(stack, body, key)
      expect(answer.status).toBe(key.trim() === '' ? 400 : 200)
    },
  )

  it.each(['', 'ü', 'k'.repeat(256)])('refuses %j', async (key) => {
    const request = solSend(stack)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    const answer = await order(stack, body, key)
    expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', 'X-Idempotency-Key'])
  })

  it('refuses two keys, and names the header as it is documented', async () => {
    const body = JSON.stringify({ quote: {}, senderAddress: 'a', recipientAddress: 'b' })
    const lines = [
      ...['POST /transfer/v1/order HTTP/1.1', 'Host: x', 'Connection: close'],
      ...['Content-Type: application/json', `Content-Length: ${body.length}`],
      ...[`Authorization: Bearer ${stack.apiKey}`, 'x-idempotency-key: a', 'x-idempotency-key: b'],
    ]
    const answer = await answerTo(stack, `${lines.join('\r\n')}\r\n\r\n${body}`)
    const [, text = ''] = answer.split('\r\n\r\n')
    const { code, param } = ErrorBody.parse(JSON.parse(text))
    expect([code, param]).toEqual(['INVALID_REQUEST', 'X-Idempotency-Key'])
  })
})

describe('a key stays unused', () => {
  it('after an upstream error', async () => {
    const request = solSend(stack)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    await stack.localnet.local('localnet_setFaults', [{ errorRate: 1 }])
    // The previous test may have left a cached head that is recent enough to be used.
    await new Promise((resolve) => setTimeout(resolve, 300))
    try {
      const failed = await order(stack, body, 'upstream')
      expect([failed.status, codeOf(failed)]).toEqual([503, 'UPSTREAM_UNAVAILABLE'])
    } finally {
      await stack.localnet.local('localnet_setFaults', [{}])
    }
    const made = await order(stack, body, 'upstream')
    expect([made.status, made.headers.get('idempotent-replayed')]).toEqual([200, 'false'])
  })

  it('after a business error', async () => {
    const swap = solSend(stack, { amount: '6000000000', destinationAssetId: stack.usdc })
    const first = orderBody((await quoteOf(stack, swap)).quote, swap)
    const second = orderBody((await quoteOf(stack, swap)).quote, swap)
    expect((await order(stack, first)).status).toBe(200)
    expect(codeOf(await order(stack, second, 'no room'))).toBe('LIQUIDITY_UNAVAILABLE')
    const { answer } = await placed(stack, solSend(stack), 'no room')
    expect(answer.headers.get('idempotent-replayed')).toBe('false')
  })

  it('after a client left before its body was complete', async () => {
    const request = solSend(stack)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    const text = JSON.stringify(body)
    const before = await countOrders(stack)
    const half = new ReadableStream({
      start: (controller) => {
        controller.enqueue(new TextEncoder().encode(text.slice(0, -10)))
      },
    })
    const leaving = new AbortController()
    const sent = fetch(`${stack.baseUrl}/transfer/v1/order`, {
      method: 'POST',
      body: half,
      duplex: 'half',
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${stack.apiKey}`,
        'content-type': 'application/json',
        'x-idempotency-key': 'left',
      },
    })
    await send(stack, 'GET', '/transfer/v1/tokens')
    leaving.abort()
    await expect(sent).rejects.toThrow()
    expect(await countOrders(stack)).toBe(before)
    const made = await order(stack, body, 'left')
    expect(made.headers.get('idempotent-replayed')).toBe('false')
  })
})

it('a client that left before the answer finds its order with a retry', async () => {
  const before = await countOrders(stack)
  for (let round = 0; round < 10; round += 1) {
    const request = solSend(stack)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    const leaving = new AbortController()
    const sent = fetch(`${stack.baseUrl}/transfer/v1/order`, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: leaving.signal,
      headers: {
        authorization: `Bearer ${stack.apiKey}`,
        'content-type': 'application/json',
        'x-idempotency-key': `gone-${round}`,
      },
    })
    // The client disconnects at a different moment each time, from before the request is read to after the commit.
    await new Promise((resolve) => setTimeout(resolve, round * 3))
    leaving.abort()
    await sent.catch(() => undefined)
    const settle = async (): Promise<string> => {
      const retry = await order(stack, body, `gone-${round}`)
      if (codeOf(retry) === 'ORDER_IN_PROGRESS') return settle()
      expect(retry.status).toBe(200)
      return retry.text
    }
    const first = await settle()
    expect((await order(stack, body, `gone-${round}`)).text).toBe(first)
    expect(await countOrders(stack)).toBe(before + round + 1)
  }
})
