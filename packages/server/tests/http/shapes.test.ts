import { getTransactionDecoder, getCompiledTransactionMessageDecoder } from '@solana/kit'
import type { Order, TokensResponse } from '@sotto/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readClock } from '../../src/adapters/chain/settlement/read-head.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, orderBody, placed, quoteOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const QUOTE = '/transfer/v1/quote'
const usdcSend = () => solSend(stack, { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc })

it('a success with an API key has the common form and must not be cached', async () => {
  const { order: made, answer } = await placed(stack, solSend(stack))
  const id = made.trackingId
  const answers = [
    answer,
    await send(stack, 'POST', QUOTE, { body: solSend(stack) }),
    await send(stack, 'POST', `/transfer/v1/order/${id}/refresh`),
    await send(stack, 'POST', '/transfer/v1/deposit', { body: { trackingId: id } }),
    await send(stack, 'GET', `/transfer/v1/status/${id}`),
    await send(stack, 'GET', '/transfer/v1/tokens'),
    await send(stack, 'GET', '/transfer/v1/orders'),
  ]
  for (const { status, headers, body } of answers) {
    expect([status, body['success']]).toEqual([200, true])
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-request-id')).toMatch(/^req_[0-9a-f]{24}$/)
  }
})

it('every time is ISO 8601 in UTC with milliseconds', async () => {
  const { quote, order: made } = await placed(stack, solSend(stack))
  const get = async (url: string) => (await send(stack, 'GET', url)).body
  const status = (await get(`/transfer/v1/status/${made.trackingId}`))['order'] as Order
  const times: Record<string, unknown> = {
    ...{ issuedAt: quote.issuedAt, expiresAt: quote.expiresAt },
    ...{ expiration: made.expiration, deliverBy: made.deliverBy },
    asOf: (await get('/transfer/v1/tokens'))['asOf'],
  }
  for (const name of ['createdAt', 'updatedAt', 'expiration', 'deliverBy'] as const) {
    times[`status ${name}`] = (status as unknown as Record<string, unknown>)[name]
  }
  for (const [name, time] of Object.entries(times)) {
    const text = typeof time === 'string' ? time : `${name} is no string`
    expect([name, new Date(text).toISOString()]).toEqual([name, text])
  }
})

describe('a quote', () => {
  it('fixes the amount in by default, and the amount out in the mode exact_out', async () => {
    const request = usdcSend()
    const { quote: plain } = await quoteOf(stack, request)
    const { quote: into } = await quoteOf(stack, { ...request, mode: 'exact_in' })
    const { quote: out } = await quoteOf(stack, { ...request, mode: 'exact_out' })
    expect([plain.mode, plain.amountIn, plain.amountOut]).toEqual([
      'exact_in',
      request.amount,
      into.amountOut,
    ])
    expect([out.mode, out.amountOut]).toEqual(['exact_out', request.amount])
    for (const { amountIn, amountOut, fee } of [plain, into, out]) {
      expect(BigInt(amountIn) - BigInt(fee)).toBe(BigInt(amountOut))
    }
  })

  it('states the parts of the fee, which add up to the fee', async () => {
    const partner = { feeBps: 100, feeRecipientAddress: stack.partner.address }
    const { quote } = await quoteOf(stack, { ...usdcSend(), ...partner })
    const { serviceFee, partnerFee, networkFee } = quote.feeBreakdown
    expect(BigInt(quote.protocolFee)).toBe(BigInt(serviceFee) + BigInt(partnerFee))
    expect(BigInt(quote.fee)).toBe(BigInt(quote.protocolFee) + BigInt(networkFee))
    expect(quote.networkFee).toBe(networkFee)
    // This share is 100 basis points of 1,000 USDC: the greatest share that the account's cap allows.
    expect(partnerFee).toBe('10000000')
  })

  it('states the longest wait of a transfer that waits for a crowd', async () => {
    const request = { ...usdcSend(), minCrowd: 5 }
    const { quote } = await quoteOf(stack, request)
    const { order: made } = await placed(stack, request)
    const leftSeconds = Date.parse(made.deliverBy) / 1_000 - Number(await readClock(stack.rpc))
    expect(quote.duration).toBeGreaterThanOrEqual(leftSeconds)
    expect(quote.duration - leftSeconds).toBeLessThan(1_300)
    expect(made.eta).toBeGreaterThan(3_600)
    expect(Math.abs(made.eta - leftSeconds)).toBeLessThan(100)
    const swap = { ...solSend(stack, { destinationAssetId: stack.usdc }), minCrowd: 5 }
    expect(codeOf(await send(stack, 'POST', QUOTE, { body: swap }))).toBe('INVALID_REQUEST')
  })

  it('is valid for 60 seconds', async () => {
    const request = usdcSend()
    const { quote } = await quoteOf(stack, request)
    expect(Date.parse(quote.expiresAt) - Date.parse(quote.issuedAt)).toBe(60_000)
    const { sourceAssetId, destinationAssetId } = request
    expect(quote).toMatchObject({ sourceAssetId, destinationAssetId })
    expect(Number.isInteger(quote.duration)).toBe(true)
  })

  it('accepts the assets and the bounds that GET /tokens lists', async () => {
    const { tokens } = (await send(stack, 'GET', '/transfer/v1/tokens')).body as TokensResponse
    expect(tokens).toHaveLength(2)
    for (const { assetId, canSend, min, max } of tokens) {
      expect(canSend).toBe(true)
      const ids = { sourceAssetId: assetId, destinationAssetId: assetId }
      for (const amount of [min, max]) {
        const { quote } = await quoteOf(stack, solSend(stack, { ...ids, amount }))
        expect([quote.min, quote.max]).toEqual([min, max])
      }
    }
  })
})

describe('an order', () => {
  it('has an unsigned transaction that only the sender must sign', async () => {
    const { order: made } = await placed(stack, usdcSend())
    expect(made.transactionEncoding).toBe('base64')
    const bytes = Buffer.from(made.transaction, 'base64')
    expect(bytes.toString('base64')).toBe(made.transaction)
    const { messageBytes, signatures } = getTransactionDecoder().decode(bytes)
    expect(Object.keys(signatures)).toEqual([stack.sender.address])
    expect(Object.values(signatures)).toEqual([null])
    const message = getCompiledTransactionMessageDecoder().decode(messageBytes)
    expect(message.version).toBe(0)
    expect(message.header.numSignerAccounts).toBe(1)
    expect(message.staticAccounts[0]).toBe(stack.sender.address)
  })

  it('repeats the amounts and the expected time of its quote', async () => {
    const request = solSend(stack, { destinationAssetId: stack.usdc })
    const { quote, order: made } = await placed(stack, request)
    expect(made).toMatchObject({
      amountIn: quote.amountIn,
      amountOut: quote.amountOut,
      sourceSymbol: 'SOL',
      destinationSymbol: 'USDC',
      eta: quote.duration,
    })
  })

  it('has a deadline on the time grid, 30 to 40 minutes ahead', async () => {
    const from = await readClock(stack.rpc)
    const { order: made } = await placed(stack, solSend(stack))
    // The chain's clock may move during the order. So the test reads the clock before and after the order.
    const deadline = BigInt(Date.parse(made.expiration)) / 1_000n
    expect(deadline).toBeGreaterThanOrEqual(from + 1_800n)
    expect(deadline).toBeLessThan((await readClock(stack.rpc)) + 2_400n)
    expect(made.expiration).toMatch(/:[0-5]0:00\.000Z$/)
    const slot = await stack.rpc.getSlot({ commitment: 'confirmed' }).send()
    const slotsLeft = BigInt(made.blockhashExpiresAtSlot) - slot
    expect(slotsLeft <= 150n && slotsLeft > 0n).toBe(true)
    expect(Date.parse(made.deliverBy)).toBeGreaterThan(Date.parse(made.expiration))
  })

  it('needs a quote, a sender and a recipient', async () => {
    const request = solSend(stack)
    const body = orderBody((await quoteOf(stack, request)).quote, request)
    for (const name of ['quote', 'senderAddress', 'recipientAddress']) {
      const { [name]: _, ...rest } = body
      const answer = await order(stack, rest)
      expect([codeOf(answer), answer.body['param']]).toEqual(['INVALID_REQUEST', name])
    }
    expect((await order(stack, { ...body, feeBps: 0 })).status).toBe(200)
  })
})

it('a deposit hint changes nothing, even with a wrong signature', async () => {
  const { trackingId } = (await placed(stack, solSend(stack))).order
  const status = async () =>
    (await send(stack, 'GET', `/transfer/v1/status/${trackingId}`)).body['order'] as Order
  const before = await status()
  for (const signature of [undefined, 'wrong', '1'.repeat(88)]) {
    const body = { trackingId, ...(signature === undefined ? {} : { signature }) }
    const hint = await send(stack, 'POST', '/transfer/v1/deposit', { body })
    expect([hint.status, hint.body['order']]).toEqual([200, before])
  }
  expect(await status()).toEqual(before)
})
