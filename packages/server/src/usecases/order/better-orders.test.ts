import { amount, NATIVE_MINT } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { RateLimit } from '../../running/rate-limit.ts'
import type { MarketAsset } from '../market/market.ts'
import { BETTER_ORDERS, countBetterOrder } from './better-orders.ts'

const HOUR_SECONDS = 3_600

/** An asset. By default, each account may take a million base units of its inventory. */
const assetOf = (mint: string, swapAvailable = 2_000_000n) =>
  ({ listing: { mint }, facts: { swapAvailable: amount(swapAvailable) } }) as MarketAsset
const SOL = assetOf(NATIVE_MINT)
/** The spread, in base units, of a swap that takes an account's whole share. */
const SPREAD = 3_000n

function counter() {
  let nowMs = 0
  const clock = { nowMs: () => nowMs, sleep: async () => undefined }
  const betterOrders = new RateLimit('price', clock, BETTER_ORDERS)
  const d = { betterOrders, spreadBps: 30, accountSharePercent: 50 }
  const codeOf = (id: string, betterBy: bigint, asset = SOL) => {
    try {
      countBetterOrder(d, { id }, asset, betterBy)
      return undefined
    } catch (error) {
      return (error as { code?: string }).code
    }
  }
  return { codeOf, pass: (seconds: number) => (nowMs += seconds * 1_000) }
}

it('an account may use three whole spreads of its share in a day', () => {
  const { codeOf, pass } = counter()
  for (let count = 0; count < 3; count += 1) expect(codeOf('one', SPREAD)).toBe(undefined)
  expect(codeOf('one', 1n)).toBe('PRICE_MOVED')
  expect([codeOf('one', 0n), codeOf('one', -SPREAD)]).toEqual([undefined, undefined])
  expect([codeOf('other', 1n), codeOf('one', 1n, assetOf('another'))]).toEqual([
    undefined,
    undefined,
  ])
  pass(8 * HOUR_SECONDS - 1)
  expect(codeOf('one', SPREAD)).toBe('PRICE_MOVED')
  pass(1)
  expect([codeOf('one', SPREAD), codeOf('one', 1n)]).toEqual([undefined, 'PRICE_MOVED'])
})

it('a refused order takes nothing from the allowance', () => {
  const { codeOf } = counter()
  expect(codeOf('one', 2n * SPREAD)).toBe(undefined)
  for (let count = 0; count < 3; count += 1) expect(codeOf('one', 2n * SPREAD)).toBe('PRICE_MOVED')
  expect(codeOf('one', SPREAD)).toBe(undefined)
})

it('no sum is too large to count, and an asset without inventory needs no count', () => {
  const { codeOf } = counter()
  const scarce = assetOf('scarce', 2n)
  expect(codeOf('one', 2n ** 64n - 1n, scarce)).toBe(undefined)
  expect(codeOf('one', 1n, scarce)).toBe('PRICE_MOVED')
  expect(codeOf('one', 1n, assetOf('none', 0n))).toBe(undefined)
})
