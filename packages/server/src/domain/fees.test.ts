import { amount, U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountsOf,
  greatestInput,
  leastGross,
  leastInput,
  outputOf,
  payoutOf,
  SAME_ASSET,
  settleFee,
  valueOf,
  withSpread,
  type FeeTerms,
  type Ratio,
} from './fees.ts'

/** An independent model of the fees. It uses exact rational numbers, and rounds only where the contract says so. */
class Rational {
  readonly top: bigint
  readonly bottom: bigint
  constructor(top: bigint, bottom = 1n) {
    this.top = top
    this.bottom = bottom
  }
  times(other: Rational): Rational {
    return new Rational(this.top * other.top, this.bottom * other.bottom)
  }
  minus(other: Rational): Rational {
    return new Rational(
      this.top * other.bottom - other.top * this.bottom,
      this.bottom * other.bottom,
    )
  }
  floor(): bigint {
    const quotient = this.top / this.bottom
    return this.top % this.bottom !== 0n && this.top < 0n ? quotient - 1n : quotient
  }
  ceil(): bigint {
    return -new Rational(-this.top, this.bottom).floor()
  }
}

const bps = (share: number) => new Rational(BigInt(share), 10_000n)

/** The payout of a settlement: the gross amount minus the fees. */
function payoutBy(gross: bigint, { serviceBps, networkFee }: FeeTerms): bigint {
  return gross - new Rational(gross).times(bps(serviceBps)).ceil() - networkFee
}

/** The worth of an input after the partner's share. */
function worthBy(amountIn: bigint, { feeBps }: FeeTerms, rate: Ratio) {
  const partnerFee = new Rational(amountIn).times(bps(feeBps)).ceil()
  const exchange = new Rational(rate.numerator, rate.denominator)
  return { partnerFee, worth: new Rational(amountIn - partnerFee).times(exchange).floor() }
}

/** The figures of the series (series.ts): its digits, each followed by 0 to 19 zeros. */
const FIGURES = ['1', '15', '2', '25', '3', '4', '5', '6', '75'].flatMap((digits) =>
  [...Array(20).keys()].map((zeros) => BigInt(digits + '0'.repeat(zeros))),
)

/** The smallest gross amount that pays out at least `payout`, found by binary search. */
function leastGrossBy(payout: bigint, most: bigint, terms: FeeTerms): bigint {
  let [low, high] = [0n, most]
  while (low < high) {
    const middle = (low + high) / 2n
    if (payoutBy(middle, terms) >= payout) high = middle
    else low = middle + 1n
  }
  return low
}

/**
 * The note's value: the worth of the input. The payout is rounded down to the nearest figure of the series if two
 * conditions are met: the input is the smallest that pays out this figure, and rounding reduces the payout by at most a
 * hundred-thousandth.
 */
function valueBy(amountIn: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const { worth } = worthBy(amountIn, terms, rate)
  const payout = payoutBy(worth, terms)
  const within = FIGURES.filter((one) => one <= payout)
  const figure = within.reduce((most, one) => (one > most ? one : most), 0n)
  const isLeast = payoutBy(worthBy(amountIn - 1n, terms, rate).worth, terms) < figure
  if (figure === 0n || !isLeast || (payout - figure) * 100_000n > payout) return worth
  return leastGrossBy(figure, worth, terms)
}

/** The value and the payout of an input, in exact rational numbers. */
function model(amountIn: bigint, terms: FeeTerms, rate: Ratio) {
  const { partnerFee } = worthBy(amountIn, terms, rate)
  const value = valueBy(amountIn, terms, rate)
  const service = new Rational(value).times(bps(terms.serviceBps)).ceil()
  const inSource = (fee: bigint) =>
    new Rational(fee).times(new Rational(rate.denominator, rate.numerator)).ceil()
  return {
    ...{ partnerFee, value, amountOut: value - service - terms.networkFee },
    ...{ serviceFee: inSource(service), networkFee: inSource(terms.networkFee) },
  }
}

const input = fc.bigInt({ min: 1n, max: U64_MAX })
const feeTerms = fc.record({
  serviceBps: fc.integer({ min: 0, max: 1_000 }),
  feeBps: fc.integer({ min: 0, max: 4_000 }),
  networkFee: fc.oneof(fc.bigInt({ min: 0n, max: 10_000_000n }), input).map(amount),
})
const rates = fc.record({
  numerator: fc.bigInt({ min: 1n, max: 10n ** 18n }),
  denominator: fc.bigInt({ min: 1n, max: 10n ** 18n }),
})

const anyRate = fc.oneof(fc.constant(SAME_ASSET), rates)

/** A swap at a rate at which a base unit of the source is worth several base units of the destination. */
const coarseSwap = fc.record({
  figure: fc.constantFrom(...FIGURES.filter((one) => one >= 10n ** 7n && one <= 10n ** 17n)),
  terms: fc.record({
    ...{ serviceBps: fc.integer({ min: 0, max: 100 }), feeBps: fc.integer({ min: 0, max: 100 }) },
    networkFee: fc.bigInt({ min: 0n, max: 1_000_000n }).map(amount),
  }),
  rate: fc.record({
    numerator: fc.bigInt({ min: 1_000_000n, max: 50_000_000n }),
    denominator: fc.bigInt({ min: 500_000n, max: 1_000_000n }),
  }),
})

/** Inputs that pay out a figure, or a little more or less. Random inputs almost never have such a payout. */
const nearFigure = fc
  .record({
    of: fc.oneof(
      coarseSwap,
      fc.record({ figure: fc.constantFrom(...FIGURES), terms: feeTerms, rate: anyRate }),
    ),
    away: fc.bigInt({ min: -1n, max: 2n }),
  })
  .map(({ of: { figure, terms, rate }, away }) => {
    const { networkFee, serviceBps, feeBps } = terms
    const gross = ((figure + networkFee) * 10_000n) / BigInt(10_000 - serviceBps)
    const rest = (gross * rate.denominator) / rate.numerator
    const paid = (rest * 10_000n) / BigInt(10_000 - feeBps) + away
    return { figure, terms, rate, paid: paid < 1n ? 1n : paid > U64_MAX ? U64_MAX : paid }
  })

describe('any input in the range of u64', () => {
  it('is split exactly as the rational model says', () => {
    const any = fc.record({ paid: input, terms: feeTerms, rate: anyRate })
    fc.assert(
      fc.property(fc.oneof(any, nearFigure), ({ paid, terms, rate }) => {
        const amounts = amountsOf(paid, terms, rate)
        const expected = model(paid, terms, rate)
        const isPayable = expected.amountOut > 0n && expected.value <= U64_MAX
        expect(amounts !== undefined).toBe(isPayable)
        if (amounts !== undefined) expect(amounts).toEqual({ amountIn: paid, ...expected })
      }),
    )
  })

  it('is rounded only in a swap, by less than a base unit of the source', () => {
    fc.assert(
      fc.property(nearFigure, ({ paid, terms, rate }) => {
        const { worth } = worthBy(paid, terms, SAME_ASSET)
        expect(valueOf(paid, terms, SAME_ASSET)).toBe(worth)
        const exact = payoutOf(worthBy(paid, terms, rate).worth, terms)
        const rounded = outputOf(paid, terms, rate)
        expect(rounded).toBeLessThanOrEqual(exact)
        if (rounded === exact) return
        expect(rounded).toBeGreaterThan(payoutOf(worthBy(paid - 1n, terms, rate).worth, terms))
        expect((exact - rounded) * 100_000n).toBeLessThanOrEqual(exact)
      }),
    )
  })

  it('is exact in a send: amountIn is the sum of amountOut and all fees', () => {
    fc.assert(
      fc.property(input, feeTerms, (paid, terms) => {
        const amounts = amountsOf(paid, terms, SAME_ASSET)
        if (amounts === undefined) return
        const { amountOut, serviceFee, partnerFee, networkFee } = amounts
        expect(amountOut + serviceFee + partnerFee + networkFee).toBe(paid)
      }),
    )
  })

  it('leaves exactly the settlement’s fee between value and payout', () => {
    fc.assert(
      fc.property(input, feeTerms, anyRate, (paid, terms, rate) => {
        const amounts = amountsOf(paid, terms, rate)
        if (amounts === undefined) return
        const { value, amountOut } = amounts
        expect(value - amountOut).toBe(settleFee(value, terms))
        // The settlement's fee doesn't depend on the rate or on the partner's share: equal values have equal fees.
        const { serviceBps, networkFee } = terms
        expect(payoutOf(value, { serviceBps, networkFee })).toBe(amountOut)
      }),
    )
  })
})

describe('exact_out', () => {
  it('delivers exactly the amount for the smallest sufficient input', () => {
    fc.assert(
      fc.property(input, feeTerms, (wanted, terms) => {
        const least = leastInput(wanted, terms, SAME_ASSET)
        expect(outputOf(least, terms, SAME_ASSET)).toBe(wanted)
        expect(outputOf(least - 1n, terms, SAME_ASSET)).toBeLessThan(wanted)
      }),
    )
  })

  it('gives the note the smallest value that pays the amount', () => {
    fc.assert(
      fc.property(input, feeTerms, (wanted, terms) => {
        const value = leastGross(wanted, terms)
        expect(payoutOf(value, terms)).toBe(wanted)
        expect(payoutOf(value - 1n, terms)).toBeLessThan(wanted)
        const { amountIn, ...rest } =
          amountsOf(leastInput(wanted, terms, SAME_ASSET), terms, SAME_ASSET) ?? {}
        if (amountIn !== undefined) expect(rest).toMatchObject({ value, amountOut: wanted })
      }),
    )
  })
})

describe('bounds', () => {
  it('are the smallest sufficient input and the greatest allowed input', () => {
    const sums = fc.oneof(input, fc.constantFrom(...FIGURES))
    fc.assert(
      fc.property(sums, feeTerms, anyRate, (sum, terms, rate) => {
        const least = leastInput(sum, terms, rate)
        expect(outputOf(least, terms, rate)).toBeGreaterThanOrEqual(sum)
        expect(outputOf(least - 1n, terms, rate)).toBeLessThan(sum)
        const greatest = greatestInput(sum, terms, rate)
        expect(model(greatest, terms, rate).value).toBeLessThanOrEqual(sum)
        expect(model(greatest + 1n, terms, rate).value).toBeGreaterThan(sum)
      }),
    )
  })

  it('are exact next to an amount that is rounded to a figure', () => {
    fc.assert(
      fc.property(nearFigure, ({ paid, figure, terms, rate }) => {
        const out = payoutOf(worthBy(paid, terms, rate).worth, terms)
        for (const sum of [out, figure, figure + 1n]) {
          if (sum <= 0n) continue
          const least = leastInput(sum, terms, rate)
          expect(outputOf(least, terms, rate)).toBeGreaterThanOrEqual(sum)
          expect(outputOf(least - 1n, terms, rate)).toBeLessThan(sum)
        }
        for (const value of [valueOf(paid, terms, rate), leastGross(figure, terms)]) {
          const greatest = greatestInput(value, terms, rate)
          expect(valueOf(greatest, terms, rate)).toBeLessThanOrEqual(value)
          expect(valueOf(greatest + 1n, terms, rate)).toBeGreaterThan(value)
        }
      }),
    )
  })
})

describe('at the edge', () => {
  const free: FeeTerms = { serviceBps: 0, feeBps: 0, networkFee: amount(0n) }
  const tenth: Ratio = { numerator: 1n, denominator: 10n }

  it('an input beyond u64 is refused, even if its output fits into u64', () => {
    expect(amountsOf(U64_MAX, free, tenth)?.amountOut).toBe(U64_MAX / 10n)
    expect(amountsOf(U64_MAX + 1n, free, tenth)).toBeUndefined()
  })

  it('an output may be the largest u64, but never zero', () => {
    expect(amountsOf(U64_MAX, free, SAME_ASSET)?.amountOut).toBe(U64_MAX)
    expect(amountsOf(9n, free, tenth)).toBeUndefined()
    expect(amountsOf(10n, free, tenth)?.amountOut).toBe(1n)
  })

  it('gives a negative output if the fees exceed the value', () => {
    expect(outputOf(10n, { ...free, networkFee: amount(2n) }, tenth)).toBe(-1n)
    expect(amountsOf(20n, { ...free, networkFee: amount(2n) }, tenth)).toBeUndefined()
  })

  it('a share or a fee of less than one unit is rounded up to one unit', () => {
    expect(settleFee(1n, { serviceBps: 1, networkFee: amount(0n) })).toBe(1n)
    expect(amountsOf(100n, { ...free, feeBps: 1 }, SAME_ASSET)).toMatchObject({ partnerFee: 1n })
  })

  it('without fees, the greatest input for a value is the greatest input whose worth rounds down to the value', () => {
    expect(greatestInput(1_000n, free, SAME_ASSET)).toBe(1_000n)
    expect(greatestInput(1_000n, free, tenth)).toBe(10_009n)
  })
})

it('the spread changes only the rate', () => {
  const rate = { numerator: 15n, denominator: 100n }
  expect(withSpread(rate, 0)).toEqual({ numerator: 150_000n, denominator: 1_000_000n })
  expect(withSpread(rate, 100)).toEqual({ numerator: 148_500n, denominator: 1_000_000n })
})
