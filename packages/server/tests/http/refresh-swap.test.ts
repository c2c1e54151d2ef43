import type { Order, QuoteRequest } from '@sotto/contract'
import { depositsOf, NATIVE_MINT } from '@sotto/protocol'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PROGRAM } from '../settlement/stack/localnet-process.ts'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, quoteOf, send, solSend, type Answer } from './partner-client.ts'
import { startApi } from './start-api.ts'
import { markSeen, submitDeposit } from './submit-deposit.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const swap = (change: Partial<QuoteRequest> = {}) =>
  solSend(stack, { destinationAssetId: stack.usdc, ...change })

const refresh = (order: Order, by: HttpStack = stack): Promise<Answer> =>
  send(by, 'POST', `/transfer/v1/order/${order.trackingId}/refresh`)

const MILLION = 1_000_000

/** Sets how many base units of USDC are paid for a million lamports. */
async function setRate(perMillion: number): Promise<void> {
  const pair = { source: NATIVE_MINT, destination: stack.usdc }
  const rate = { ...pair, numerator: `${perMillion}`, denominator: `${MILLION}` }
  await writeFile(stack.settings['SOTTO_PRICES_FILE']!, JSON.stringify({ rates: [rate] }))
}

/**
 * Advances the chain's clock, and waits until orders use the new time. The wait is needed because orders share a cached
 * head for 250 ms.
 */
async function advance(seconds: number): Promise<void> {
  await stack.localnet.local('localnet_advanceTime', [seconds])
  await new Promise((resolve) => setTimeout(resolve, 300))
}

describe('a refreshed swap', () => {
  it('never has a better price than a new quote', async () => {
    const partner = { feeBps: 50, feeRecipientAddress: stack.partner.address }
    for (const change of [{}, { amount: '123456789' }, partner]) {
      const request = swap(change)
      await setRate(150_000)
      const { order } = await placed(stack, request)
      // The test uses the order's rate, four worse rates and two better rates. The smallest difference is one unit.
      for (const rate of [150_000, 149_999, 149_900, 149_500, 148_000, 150_001, 152_000]) {
        await setRate(rate)
        const offered = BigInt((await quoteOf(stack, request)).quote.amountOut)
        const answer = await refresh(order)
        const code = offered < BigInt(order.amountOut) ? 'PRICE_MOVED' : undefined
        expect([rate, codeOf(answer)]).toEqual([rate, code])
        if (code === undefined) {
          expect((answer.body['order'] as Order).amountOut).toBe(order.amountOut)
        } else expect(answer.body['retry']).toBe('new_quote')
      }
    }
    await setRate(150_000)
  })

  it('can be paid only in the three minutes after its order', async () => {
    const { order } = await placed(stack, swap())
    const orderSeconds = (Date.parse(order.expiration) - Date.now()) / 1_000
    expect(orderSeconds).toBeGreaterThan(600)
    const payableSeconds = (Date.parse(order.payableUntil!) - Date.now()) / 1_000
    expect(Math.abs(payableSeconds - 180)).toBeLessThan(60)
    await advance(100)
    const second = (await refresh(order)).body['order'] as Order
    expect(second).toMatchObject({
      expiration: order.expiration,
      payableUntil: order.payableUntil,
    })
    await advance(40)
    const last = (await refresh(order)).body['order'] as Order
    await advance(45)
    expect(codeOf(await refresh(order))).toBe('ORDER_EXPIRED')
    await expect(submitDeposit(stack, last.transaction)).rejects.toThrow()
  })

  it('has an authorisation that ends with the order’s three minutes', async () => {
    const { order } = await placed(stack, swap())
    await advance(120)
    const last = (await refresh(order)).body['order'] as Order
    const [deposit] = depositsOf(PROGRAM, await submitDeposit(stack, last.transaction))
    expect(Number(deposit!.validUntil) * 1_000).toBe(Date.parse(order.payableUntil!))
  })

  it('has an authorisation that ends at a multiple of 30 seconds', async () => {
    const { order } = await placed(stack, swap())
    const refreshed = (await refresh(order)).body['order'] as Order
    expect(Date.parse(order.payableUntil!) % 30_000).toBe(0)
    const [deposit] = depositsOf(PROGRAM, await submitDeposit(stack, refreshed.transaction))
    expect(deposit!.validUntil % 30n).toBe(0n)
  })
})

describe('a refresh is refused', () => {
  const sends = async () => {
    const request = solSend(stack)
    return { request, order: (await placed(stack, request)).order }
  }
  const heights = async () =>
    (
      await stack.database.query<{ height: string }>(
        'SELECT last_valid_block_height AS height FROM orders ORDER BY id',
        [],
      )
    ).map(({ height }) => height)

  it.each(['senderAddress', 'recipientAddress'] as const)(
    'if screening refuses %s after the order',
    async (party) => {
      const { request, order } = await sends()
      const path = stack.settings['SOTTO_DENY_LIST_FILE']!
      const before = await readFile(path, 'utf8')
      const known = await heights()
      await advance(5)
      await appendFile(path, `${request[party]}\n`)
      const refused = await refresh(order)
      await writeFile(path, `${before}\n`)
      expect(codeOf(refused)).toBe('SCREENING_REFUSED')
      expect(await heights()).toEqual(known)
      expect((await refresh(order)).status).toBe(200)
    },
  )

  it('while the screener is down', async () => {
    const { order } = await sends()
    const down = { SOTTO_SCREENER: 'http', SOTTO_SCREENER_URL: 'http://127.0.0.1:9' }
    const { SOTTO_DENY_LIST_FILE: _, ...settings } = stack.settings
    const replica = await startApi(stack, { ...settings, ...down })
    try {
      const by = { ...stack, ...replica }
      const answer = await refresh(order, by)
      expect([answer.status, codeOf(answer)]).toEqual([503, 'UPSTREAM_UNAVAILABLE'])
      await submitDeposit(stack, order.transaction)
      await markSeen(stack, order.trackingId)
      expect(codeOf(await refresh(order, by))).toBe('ORDER_ALREADY_DEPOSITED')
      const hinted = await send(by, 'POST', '/transfer/v1/deposit', {
        body: { trackingId: order.trackingId },
      })
      expect(hinted.status).toBe(200)
    } finally {
      await replica.stop()
    }
  })
})
