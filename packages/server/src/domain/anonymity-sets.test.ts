import type { Address } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { AnonymitySet } from './anonymity-sets.ts'
import { indexAnonymitySets } from './anonymity-sets.ts'
import { anonymitySetOf, type Market } from '../usecases/market/market.ts'
import { suggestAmounts } from '../usecases/quote/suggest-amounts.ts'

const MINTS = ['sol', 'usdc'] as Address[]
const mints = fc.constantFrom(...MINTS)
const small = fc.bigInt({ min: 1n, max: 6n })
const SET_SECONDS = 60
const set = fc
  .record({
    destinationMint: mints,
    amountOut: small,
    fee: fc.bigInt({ min: 0n, max: 2n }),
    secondsAfter: fc.array(fc.nat({ max: SET_SECONDS }), { minLength: 1, maxLength: 6 }),
  })
  .map((one) => ({ ...one, deposits: one.secondsAfter.length }))
/** As the database groups them: one of each kind. */
const groups = fc.uniqueArray(set, {
  selector: ({ destinationMint, amountOut, fee }) => `${destinationMint} ${amountOut} ${fee}`,
})
const marketOf = (anonymitySets: readonly AnonymitySet[]) =>
  ({ anonymitySets: indexAnonymitySets(anonymitySets, SET_SECONDS) }) as Market

it('finds the anonymity set of a delivery as a scan of all of them does, in its window only', () => {
  const windows = fc.nat({ max: 2 * SET_SECONDS })
  fc.assert(
    fc.property(groups, set, windows, (all, one, windowSeconds) => {
      const { destinationMint: mint, amountOut, fee } = one
      const alike = all.find(
        (one) => one.destinationMint === mint && one.amountOut === amountOut && one.fee === fee,
      )
      const since = SET_SECONDS - windowSeconds
      const inWindow = (alike?.secondsAfter ?? []).filter((seconds) => seconds >= since)
      const of = { mint, amountOut, fee, windowSeconds }
      expect(anonymitySetOf(marketOf(all), of)).toBe(1 + inWindow.length)
    }),
  )
})

it('suggests at most three payable amounts, each shared by more than the own one, most shared first', () => {
  fc.assert(
    fc.property(groups, mints, small, small, (all, mint, amountOut, amountMax) => {
      const suggested = suggestAmounts(marketOf(all), mint, amountOut, amountMax)
      const deposits = (own: bigint) =>
        Math.max(
          0,
          ...all
            .filter((one) => one.destinationMint === mint && one.amountOut === own)
            .map((one) => one.deposits),
        )
      const better = [...new Set(all.map((one) => one.amountOut))].filter(
        (other) =>
          other !== amountOut && other <= amountMax && deposits(other) > deposits(amountOut),
      )
      expect(suggested).toHaveLength(Math.min(3, better.length))
      const counts = suggested.map((text) => deposits(BigInt(text)))
      const best = better.map(deposits).sort((left, right) => right - left)
      expect(counts).toEqual(best.slice(0, 3))
      expect(new Set(suggested).size).toBe(suggested.length)
    }),
  )
})
