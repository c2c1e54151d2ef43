import { NATIVE_MINT } from '@sotto/protocol'
import { writeFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startHttpStack, type HttpStack } from './http-stack.ts'
import { codeOf, order, orderBody, quoteOf, solSend } from './partner-client.ts'

let stack: HttpStack
let other: HttpStack
beforeAll(async () => {
  stack = await startHttpStack()
  await stack.operate('account', 'add', '--id', 'other', '--name', 'Other')
  const made = await stack.operate<{ apiKey: string }>('key', 'add', '--account', 'other')
  other = { ...stack, apiKey: made.apiKey }
})
afterAll(() => stack.close())

const MILLION = 1_000_000

/** Sets how many base units of USDC are paid for a million lamports. */
async function setRate(perMillion: number): Promise<void> {
  const pair = { source: NATIVE_MINT, destination: stack.usdc }
  const rate = { ...pair, numerator: `${perMillion}`, denominator: `${MILLION}` }
  await writeFile(stack.settings['SOTTO_PRICES_FILE']!, JSON.stringify({ rates: [rate] }))
}

/** Releases what unpaid swaps reserve, as if they had expired. */
async function expireAll(): Promise<void> {
  await stack.database.query("UPDATE orders SET status = 'expired'", [])
  await stack.market.refresh()
}

/** Quotes a swap of nine tenths of the account's share of the inventory. */
async function quoted(by: HttpStack): Promise<Record<string, unknown>> {
  const request = solSend(by, { destinationAssetId: by.usdc, amount: '6000000000' })
  return orderBody((await quoteOf(by, request)).quote, request)
}

/**
 * Orders a swap with a quote that was made before the price fell by 29 basis points. The spread is 30 basis points.
 */
async function orderAfterFall(by: HttpStack) {
  await expireAll()
  await setRate(150_000)
  const body = await quoted(by)
  await setRate(149_565)
  return codeOf(await order(by, body))
}

it('an account that always orders after the price has fallen must soon quote again', async () => {
  const codes: (string | undefined)[] = []
  for (let count = 0; count < 5; count += 1) codes.push(await orderAfterFall(stack))
  expect(codes).toEqual([undefined, undefined, undefined, 'PRICE_MOVED', 'PRICE_MOVED'])
  // An order is accepted with a quote at the present price, and with a quote from before the price rose.
  const [body, earlier] = [await quoted(stack), await quoted(stack)]
  expect(codeOf(await order(stack, body))).toBe(undefined)
  await expireAll()
  await setRate(150_000)
  expect(codeOf(await order(stack, earlier))).toBe(undefined)
  expect(await orderAfterFall(other)).toBe(undefined)
})
