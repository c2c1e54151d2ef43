import { amount, U64_MAX, NOTHING } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountsOf, leastGross, leastInput, SAME_ASSET, type FeeTerms } from '../../domain/fees.ts'
import { limitsOf, type Mode } from '../../domain/limits.ts'
import { figuresAround, SERIES } from '../../domain/series.ts'
import { amountsAround, suggestAmounts } from './suggest-amounts.ts'

const feeTerms = fc.record({
  serviceBps: fc.integer({ min: 0, max: 1_000 }),
  feeBps: fc.integer({ min: 0, max: 4_000 }),
  networkFee: fc.bigInt({ min: 0n, max: 10_000_000n }).map(amount),
})
const part = fc.bigInt({ min: 1n, max: 10n ** 12n })
const rates = fc.oneof(fc.constant(SAME_ASSET), fc.record({ numerator: part, denominator: part }))
const modes = fc.constantFrom<Mode>('exact_in', 'exact_out')

/** A request within its limits, and the amounts of its quote. */
const quotes = fc
  .record({
    ...{ mode: modes, terms: feeTerms, rate: rates },
    paid: fc.bigInt({ min: 1n, max: U64_MAX }),
    inputMax: fc.oneof(fc.constant(U64_MAX), fc.bigInt({ min: 1n, max: U64_MAX }).map(amount)),
    outputMin: fc.bigInt({ min: 1n, max: 1_000_000n }).map(amount),
  })
  .map(({ mode, paid, terms, rate, ...bounds }) => {
    const isIn = mode === 'exact_in' || rate !== SAME_ASSET
    const limits = limitsOf(isIn ? 'exact_in' : mode, bounds, terms, rate)
    const amounts = amountsOf(paid, terms, rate)
    const amountOut = amounts?.amountOut ?? NOTHING
    return { ...{ mode: isIn ? ('exact_in' as const) : mode, terms, rate, limits, amountOut } }
  })
  .filter(({ amountOut, limits }) => amountOut > 0n && limits.min <= limits.max)

it('a request for a suggested amount pays out exactly its figure', () => {
  fc.assert(
    fc.property(quotes, ({ mode, terms, rate, limits, amountOut }) => {
      for (const one of amountsAround({ mode, terms, rate, limits, amountOut })) {
        expect(SERIES).toContain(one.amountOut)
        const paid = mode === 'exact_in' ? one.amount : leastInput(one.amount, terms, rate)
        const quoted = amountsOf(paid, terms, rate)
        expect(quoted?.amountOut).toBe(one.amountOut)
        // Every send or swap with this payout has this value, for any partner's share.
        expect(quoted?.value).toBe(leastGross(one.amountOut, terms))
        expect(one.value).toBe(quoted?.value)
        expect(one.amount).toBeGreaterThanOrEqual(limits.min)
        expect(one.amount).toBeLessThanOrEqual(limits.max)
      }
    }),
  )
})

it('a send gets the nearest two figures on each side within its limits', () => {
  fc.assert(
    fc.property(quotes, ({ mode, terms, limits, amountOut }) => {
      const around = amountsAround({ mode, terms, rate: SAME_ASSET, limits, amountOut })
      const within = figuresAround(amountOut, 2).filter((figure) => {
        const asked = mode === 'exact_in' ? leastInput(figure, terms, SAME_ASSET) : figure
        const isPayable = amountsOf(leastInput(figure, terms, SAME_ASSET), terms, SAME_ASSET)
        return asked >= limits.min && asked <= limits.max && isPayable !== undefined
      })
      expect(around.map((one) => one.amountOut)).toEqual(within)
    }),
  )
})

/** Terms and rates with so few possible values that nearly every combination occurs several times. */
const few = fc.record({
  ...{ serviceBps: fc.nat(1), feeBps: fc.nat(1), networkFee: fc.bigInt(0n, 1n).map(amount) },
  ...{ numerator: fc.bigInt(1n, 2n), denominator: fc.bigInt(1n, 2n), mode: modes },
  amountOut: fc.bigInt(1n, 200_000n).map(amount),
  max: fc.bigInt(1n, 200_000n),
})

it('suggests amounts that do not depend on earlier requests', () => {
  fc.assert(
    fc.property(few, ({ serviceBps, feeBps, networkFee, mode, amountOut, max, ...rate }) => {
      const terms = { serviceBps, feeBps, networkFee }
      const around = amountsAround({ mode, terms, rate, limits: { min: 1n, max }, amountOut })
      const expected = figuresAround(amountOut, 2).flatMap((figure) => {
        const input = leastInput(figure, terms, rate)
        const asked = mode === 'exact_in' ? input : figure
        const amounts = amountsOf(input, terms, rate)
        if (amounts?.amountOut !== figure || asked > max) return []
        return [[asked, `${asked}`, figure, `${figure}`, amounts.value]]
      })
      const found = around.map((one) => [
        one.amount,
        one.amountText,
        one.amountOut,
        one.amountOutText,
        one.value,
      ])
      expect(found).toEqual(expected)
    }),
    { numRuns: 1_000 },
  )
})

const TERMS: FeeTerms = { serviceBps: 20, feeBps: 50, networkFee: amount(100_000n) }
const limits = { min: 1n, max: U64_MAX }

it('a swap into an asset of smaller units gets all four figures', () => {
  // The source has six decimals, and the destination has nine. One coin of the destination costs 150 coins of the
  // source, so one base unit of the source is worth 6.67 base units of the destination.
  const rate = { numerator: 1_000n * 9_950n, denominator: 150n * 10_000n }
  fc.assert(
    fc.property(fc.bigInt({ min: 1_000_000n, max: 10n ** 12n }), (paid) => {
      const { amountOut = NOTHING } = amountsOf(paid, TERMS, rate) ?? {}
      const around = amountsAround({ mode: 'exact_in', terms: TERMS, rate, limits, amountOut })
      expect(around.map((one) => one.amountOut)).toEqual(figuresAround(amountOut, 2))
    }),
  )
})

it('a figure is left out if rounding to it would cost the recipient more than 0.001 %', () => {
  // The source has no decimals, and one of its coins is worth 150.3 coins of six decimals.
  const rate = { numerator: 150_300_000n, denominator: 1n }
  const terms = { ...TERMS, feeBps: 0 }
  const amountOut = amountsOf(7n, terms, rate)?.amountOut ?? NOTHING
  expect(amountOut).toBeGreaterThan(1_000_000_000n)
  expect(amountsAround({ mode: 'exact_in', terms, rate, limits, amountOut })).toEqual([])
})

it('states the anonymity set of each amount, in ascending order', () => {
  const quoted = { mode: 'exact_out' as const, amountOut: amount(1_700n), limits, terms: TERMS }
  const suggested = suggestAmounts({ ...quoted, rate: SAME_ASSET }, (value) =>
    value === leastGross(2_000n, TERMS)
      ? { anonymitySet: 7, linkProbability: 0.2 }
      : { anonymitySet: 1, linkProbability: 1 },
  )
  const alone = { anonymitySet: 1, linkProbability: '1' }
  expect(suggested).toEqual([
    { amount: '1000', amountOut: '1000', ...alone },
    { amount: '1500', amountOut: '1500', ...alone },
    { amount: '2000', amountOut: '2000', anonymitySet: 7, linkProbability: '0.2' },
    { amount: '2500', amountOut: '2500', ...alone },
  ])
})
