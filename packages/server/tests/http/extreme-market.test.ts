import type { QuoteRequest, TokensResponse } from '@sotto/contract'
import { NATIVE_MINT } from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, placed, quoteOf, send, solSend } from './partner-client.ts'

let stack: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
})
afterAll(() => stack.close())

const swap = (change: Partial<QuoteRequest> = {}) =>
  solSend(stack, { destinationAssetId: stack.usdc, ...change })

const quoteCode = async (body: QuoteRequest) =>
  codeOf(await send(stack, 'POST', '/transfer/v1/quote', { body }))

async function setRate(numerator: string, denominator: string): Promise<void> {
  const rate = { source: NATIVE_MINT, destination: stack.usdc, numerator, denominator }
  await writeFile(stack.settings['SOTTO_PRICES_FILE']!, JSON.stringify({ rates: [rate] }))
}

it('a rate at which no amount can pay for the delivery allows no swap, and never causes an internal error', async () => {
  const most = '9'.repeat(30)
  await setRate('1', most)
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  // The source is so expensive that a base unit buys more than the whole inventory.
  await setRate(most, '1')
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  // Far beyond the operator's maximum input, but within u64.
  await setRate('1', '1000000000')
  expect(await quoteCode(swap())).toBe('LIQUIDITY_UNAVAILABLE')
  await stack.setRate(15)
  expect(await quoteCode(swap())).toBeUndefined()
})

it('a network fee that no input covers allows no send, in both modes and in GET /tokens', async () => {
  const setFee = async (fee: string) => {
    await stack.database.query('UPDATE assets SET network_fee_created = $1 WHERE mint = $2', [
      fee,
      stack.usdc,
    ])
    await stack.market.refresh()
  }
  await setFee('18446744073709551615')
  const usdc = { sourceAssetId: stack.usdc, destinationAssetId: stack.usdc }
  for (const mode of ['exact_in', 'exact_out'] as const) {
    expect(await quoteCode(solSend(stack, { ...usdc, mode }))).toBe('LIQUIDITY_UNAVAILABLE')
  }
  const { tokens } = (await send(stack, 'GET', '/transfer/v1/tokens')).body as TokensResponse
  const listed = tokens.find(({ assetId }) => assetId === stack.usdc)
  expect(listed).toMatchObject({ canSend: false, min: '18446744073709551615' })
  await setFee('350000')
})

it('a swap that was just ordered reduces the max of the next quote immediately', async () => {
  const { quote: before } = await quoteOf(stack, swap())
  const { quote: taken } = await placed(stack, swap({ amount: '5000000000' }))
  const { quote: after } = await quoteOf(stack, swap())
  // The remaining inventory covers the earlier maximum minus the ordered amount.
  expect(BigInt(after.max)).toBeLessThan(BigInt(before.max))
  const rest = BigInt(before.max) - BigInt(taken.amountIn)
  const fee = BigInt(taken.fee)
  expect(BigInt(after.max) - rest).toBeLessThanOrEqual(fee)
  expect(BigInt(after.max) - rest).toBeGreaterThanOrEqual(-fee)
  // The swap is counted only once: the next read of the database gives the same result.
  await stack.market.refresh()
  expect((await quoteOf(stack, swap())).quote.max).toBe(after.max)
})

it('shows the window and the anonymity set of the requested delays', async () => {
  const { order, quote } = await placed(stack, solSend(stack))
  const now = Math.floor(Date.now() / 1_000)
  const [{ seconds }] = (await stack.database.query(
    `UPDATE orders SET deposit_at = extract(epoch FROM created_at)::bigint - 30 WHERE created_at = (SELECT max(created_at) FROM orders)
     RETURNING deposit_at AS seconds`,
    [],
  )) as [{ seconds: string }]
  expect(Math.abs(Number(seconds) - now)).toBeLessThan(200)
  expect(order.amountOut).toBe(quote.amountOut)
  await stack.market.refresh()
  const privacyOf = async (change: Partial<QuoteRequest>) =>
    (await quoteOf(stack, solSend(stack, change))).privacy
  expect(await privacyOf({})).toMatchObject({ windowSeconds: 1_800, anonymitySet: 2 })
  const soon = { minDelaySeconds: 0, maxDelaySeconds: 10 }
  expect(await privacyOf(soon)).toMatchObject({ windowSeconds: 10, anonymitySet: 1 })
  const late = { minDelaySeconds: 0, maxDelaySeconds: 1_000 }
  expect(await privacyOf(late)).toMatchObject({ windowSeconds: 1_000, anonymitySet: 2 })
})
