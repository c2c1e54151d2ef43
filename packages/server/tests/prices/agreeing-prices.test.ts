import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { agreeingPrices } from '../../src/adapters/prices/agreeing-prices.ts'
import { freshPrices } from '../../src/adapters/prices/fresh-prices.ts'
import { sharedPrices } from '../../src/adapters/prices/shared-prices.ts'
import type { Prices, Rate } from '../../src/ports/prices.ts'
import { movedClock } from '../remote/no-wait-clock.ts'

const OTHER = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const source = (numerator: bigint, denominator: bigint, asOfMs = 0): Prices => ({
  readRate: async () => ({ numerator, denominator, asOfMs }),
})
const down: Prices = { readRate: () => Promise.reject(new Error('down')) }
const silent: Prices = { readRate: async () => undefined }

const lasting = (prices: Prices) => ({ prices, ageMaxMs: undefined })

async function read(...sources: readonly Prices[]) {
  let contradictions = 0
  const disagreed = () => (contradictions += 1)
  const prices = agreeingPrices(sources.map(lasting), 100, movedClock(0), disagreed)
  return { rate: await prices.readRate(NATIVE_MINT, OTHER), contradictions: () => contradictions }
}

it('takes the lower of two agreeing rates and the time of the older rate', async () => {
  const found = await read(source(101n, 1_000n, 5), source(10n, 100n, 9))
  expect(found.rate).toEqual({ numerator: 10n, denominator: 100n, asOfMs: 5 })
})

it('accepts two rates that differ by at most the bound', async () => {
  const base = 10n ** 20n
  const edge = (base * 101n) / 100n
  expect((await read(source(base, 1n), source(edge, 1n))).rate).toBeDefined()
  const torn = await read(source(base, 1n), source(edge + 100n, 1n))
  expect([torn.rate, torn.contradictions()]).toEqual([undefined, 1])
})

it('requires each pair of three sources to agree', async () => {
  const found = await read(source(1_000n, 1n), source(1_009n, 1n), source(1_005n, 1n))
  expect(found.rate).toBeDefined()
  const torn = await read(source(1_000n, 1n), source(1_009n, 1n), source(1_011n, 1n))
  expect(torn.rate).toBeUndefined()
})

it('quotes nothing if one of two sources has no price or is down', async () => {
  expect((await read(source(1n, 1n), silent)).rate).toBeUndefined()
  await expect(read(source(1n, 1n), down)).rejects.toThrow('down')
})

it('asks a source once for all callers within two seconds', async () => {
  const clock = movedClock(0)
  let asked = 0
  let isDown = true
  const counted: Prices = {
    readRate: async (): Promise<Rate> => {
      asked += 1
      if (isDown) throw new Error('down')
      return { numerator: BigInt(asked), denominator: 1n, asOfMs: 0 }
    },
  }
  const prices = sharedPrices(counted, clock)
  const ask = () => prices.readRate(NATIVE_MINT, OTHER)
  await expect(ask()).rejects.toThrow('down')
  isDown = false
  await Promise.all([ask(), ask(), ask()])
  expect(asked).toBe(2)
  clock.advanceMs(2_000)
  expect((await ask())?.numerator).toBe(3n)
})

it('refuses a rate that is too old or too far in the future', async () => {
  const clock = movedClock(100_000)
  const ask = (asOfMs: number) =>
    freshPrices(source(1n, 1n, asOfMs), 10_000, clock).readRate(NATIVE_MINT, OTHER)
  expect(await ask(90_000)).toBeDefined()
  expect(await ask(89_999)).toBeUndefined()
  expect(await ask(110_000)).toBeDefined()
  expect(await ask(110_001)).toBeUndefined()
})

it('refuses a rate that expires in the cache or during another source’s answer', async () => {
  const clock = movedClock(10_000)
  const slow: Prices = {
    readRate: async () => {
      clock.advanceMs(1)
      return { numerator: 1n, denominator: 1n, asOfMs: clock.nowMs() }
    },
  }
  const fresh = freshPrices(source(1n, 1n, 0), 10_000, clock)
  const aging = { prices: sharedPrices(fresh, clock), ageMaxMs: 10_000 }
  const ask = (...others: Prices[]) =>
    agreeingPrices([aging, ...others.map(lasting)], 100, clock, () => undefined).readRate(
      NATIVE_MINT,
      OTHER,
    )
  expect(await ask()).toBeDefined()
  expect(await ask(slow)).toBeUndefined()
  expect(await ask()).toBeUndefined()
})
