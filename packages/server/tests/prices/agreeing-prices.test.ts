import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { agreeingPrices } from '../../src/adapters/prices/agreeing-prices.ts'
import { sharedPrices } from '../../src/adapters/prices/shared-prices.ts'
import type { Prices, Rate } from '../../src/ports/prices.ts'
import { movedClock } from '../remote/no-wait-clock.ts'

const OTHER = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address
const source = (numerator: bigint, denominator: bigint, asOfMs = 0): Prices => ({
  readRate: async () => ({ numerator, denominator, asOfMs }),
})
const down: Prices = { readRate: () => Promise.reject(new Error('down')) }
const silent: Prices = { readRate: async () => undefined }

async function read(...sources: readonly Prices[]) {
  let contradictions = 0
  const prices = agreeingPrices(sources, 100, () => (contradictions += 1))
  return { rate: await prices.readRate(NATIVE_MINT, OTHER), contradictions: () => contradictions }
}

it('takes the lower of two rates that agree, as old as the older', async () => {
  const found = await read(source(101n, 1_000n, 5), source(10n, 100n, 9))
  expect(found.rate).toEqual({ numerator: 10n, denominator: 100n, asOfMs: 5 })
})

it('agrees up to the bound, one part in 10^18 further it does not', async () => {
  const base = 10n ** 20n
  const edge = (base * 101n) / 100n
  expect((await read(source(base, 1n), source(edge, 1n))).rate).toBeDefined()
  const torn = await read(source(base, 1n), source(edge + 100n, 1n))
  expect([torn.rate, torn.contradictions()]).toEqual([undefined, 1])
})

it('of three sources every two must agree', async () => {
  const found = await read(source(1_000n, 1n), source(1_009n, 1n), source(1_005n, 1n))
  expect(found.rate).toBeDefined()
  const torn = await read(source(1_000n, 1n), source(1_009n, 1n), source(1_011n, 1n))
  expect(torn.rate).toBeUndefined()
})

it('quotes nothing where one of two has nothing to say or is down', async () => {
  expect((await read(source(1n, 1n), silent)).rate).toBeUndefined()
  await expect(read(source(1n, 1n), down)).rejects.toThrow('down')
})

it('asks a source once for all who ask within two seconds, and keeps no failure', async () => {
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
