import type { Address } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { indexAnonymitySets, type AnonymitySet } from './anonymity-sets.ts'
import { leastGross, payoutOf } from './fees.ts'
import type { Market } from '../usecases/market/market.ts'
import { suggestAmounts } from '../usecases/quote/suggest-amounts.ts'

const MINTS = ['sol', 'usdc'] as Address[]
const mints = fc.constantFrom(...MINTS)
const small = fc.bigInt({ min: 1n, max: 6n })
const SET_SECONDS = 60
const set = fc
  .record({
    destinationMint: mints,
    value: small,
    secondsAfter: fc.array(fc.nat({ max: SET_SECONDS }), { minLength: 1, maxLength: 6 }),
  })
  .map((one) => ({ ...one, deposits: one.secondsAfter.length }))
/** Grouped as in the database: one set for each mint and value. */
const groups = fc.uniqueArray(set, {
  selector: ({ destinationMint, value }) => `${destinationMint} ${value}`,
})
const marketOf = (anonymitySets: readonly AnonymitySet[]) =>
  ({ anonymitySets: indexAnonymitySets(anonymitySets, SET_SECONDS) }) as Market

it('finds the same anonymity set for a delivery as a scan of all deposits in its window', () => {
  const windows = fc.nat({ max: 2 * SET_SECONDS })
  fc.assert(
    fc.property(groups, set, windows, (all, one, windowSeconds) => {
      const { destinationMint: mint, value } = one
      const alike = all.find((other) => other.destinationMint === mint && other.value === value)
      const since = SET_SECONDS - windowSeconds
      const inWindow = (alike?.secondsAfter ?? []).filter((seconds) => seconds >= since)
      const { alike: count } = marketOf(all).anonymitySets
      expect(count(mint, value, windowSeconds)).toBe(inWindow.length)
    }),
  )
})

const tariffs = fc.record({
  serviceBps: fc.constantFrom(0, 1_000, 5_000),
  networkFee: fc.bigInt({ min: 0n, max: 2n }),
})

it('suggests at most three payable amounts with larger anonymity sets, the largest first', () => {
  fc.assert(
    fc.property(groups, mints, small, small, tariffs, (all, mint, value, amountMax, tariff) => {
      const suggested = suggestAmounts(marketOf(all), mint, value, tariff, amountMax)
      const ofMint = all.filter((one) => one.destinationMint === mint)
      const own = ofMint.find((one) => one.value === value)?.deposits ?? 0
      const better = ofMint.filter((one) => {
        const out = payoutOf(one.value, tariff)
        const isHit = out > 0n && out <= amountMax && leastGross(out, tariff) === one.value
        return isHit && one.deposits > own
      })
      const shared = better.map(({ deposits }) => deposits).sort((left, right) => right - left)
      const values = suggested.map((text) => leastGross(BigInt(text), tariff))
      const counts = values.map((one) => better.find((set) => set.value === one)?.deposits)
      expect(counts).toEqual(shared.slice(0, 3))
      expect(new Set(suggested).size).toBe(suggested.length)
    }),
  )
})
