import { amount, U64_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  amountsOf,
  convertTariff,
  greatestInput,
  leastInput,
  outputOf,
  SAME_ASSET,
  withSpread,
  type FeeTerms,
  type Ratio,
} from './fees.ts'

/** An independent model: exact rationals, rounded only where the contract says so. */
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

function modelOutput(amountIn: bigint, terms: FeeTerms, rate: Ratio): bigint {
  const share = new Rational(BigInt(terms.serviceBps + terms.feeBps), 10_000n)
  const fees = new Rational(amountIn).times(share).ceil() + terms.networkFee
  return new Rational(amountIn - fees).times(new Rational(rate.numerator, rate.denominator)).floor()
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

/** The limits of a prices file. */
const extremeRates = fc.record({
  numerator: fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }),
  denominator: fc.bigInt({ min: 1n, max: 10n ** 30n - 1n }),
})

describe('an input over the whole of u64', () => {
  it('is split exactly as the rational model says', () => {
    fc.assert(
      fc.property(
        input,
        feeTerms,
        fc.oneof(fc.constant(SAME_ASSET), rates),
        (paid, terms, rate) => {
          const amounts = amountsOf(paid, terms, rate)
          const expected = modelOutput(paid, terms, rate)
          const isPayable = expected > 0n && expected <= U64_MAX
          expect(amounts !== undefined).toBe(isPayable)
          if (amounts === undefined) return
          expect(amounts.amountOut).toBe(expected)
          const service = new Rational(paid * BigInt(terms.serviceBps), 10_000n).ceil()
          expect(amounts.serviceFee).toBe(service)
          expect(amounts.partnerFee >= 0n).toBe(true)
          if (terms.feeBps === 0) expect(amounts.partnerFee).toBe(0n)
        },
      ),
    )
  })

  it('loses nothing in a send: amountIn is amountOut and all fees', () => {
    fc.assert(
      fc.property(input, feeTerms, (paid, terms) => {
        const amounts = amountsOf(paid, terms, SAME_ASSET)
        if (amounts === undefined) return
        const { amountOut, serviceFee, partnerFee, networkFee } = amounts
        expect(amountOut + serviceFee + partnerFee + networkFee).toBe(paid)
      }),
    )
  })
})

describe('exact_out', () => {
  it('delivers exactly the amount from the least input that can', () => {
    fc.assert(
      fc.property(input, feeTerms, (wanted, terms) => {
        const least = leastInput(wanted, terms, SAME_ASSET)
        expect(outputOf(least, terms, SAME_ASSET)).toBe(wanted)
        expect(outputOf(least - 1n, terms, SAME_ASSET)).toBeLessThan(wanted)
      }),
    )
  })
})

describe('bounds', () => {
  it('are the last inputs on their side, for sends and swaps', () => {
    fc.assert(
      fc.property(input, feeTerms, fc.oneof(fc.constant(SAME_ASSET), rates), (out, terms, rate) => {
        const least = leastInput(out, terms, rate)
        expect(outputOf(least, terms, rate)).toBeGreaterThanOrEqual(out)
        expect(outputOf(least - 1n, terms, rate)).toBeLessThan(out)
        const greatest = greatestInput(out, terms, rate)
        expect(outputOf(greatest, terms, rate)).toBeLessThanOrEqual(out)
        expect(outputOf(greatest + 1n, terms, rate)).toBeGreaterThan(out)
      }),
    )
  })
})

/** The least number of two digits followed by zeros that is at least a value, found digit by digit. */
function roundedUp(value: bigint): bigint {
  const text = value.toString()
  if (text.length <= 2) return value
  const head = BigInt(text.slice(0, 2)) + (/^0*$/.test(text.slice(2)) ? 0n : 1n)
  return BigInt(`${head}${'0'.repeat(text.length - 2)}`)
}

describe('the tariff of a swap', () => {
  it('covers the cost, exceeds it by at most a tenth, and has two significant digits', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10_000_000n }), extremeRates, (tariff, rate) => {
        const exact = new Rational(tariff * rate.denominator, rate.numerator).ceil()
        const converted = convertTariff(tariff, rate)
        const model = roundedUp(exact)
        expect(converted).toBe(model > U64_MAX ? undefined : model)
        if (converted === undefined) return
        expect(converted).toBeGreaterThanOrEqual(exact)
        expect(converted * 10n).toBeLessThanOrEqual(exact * 11n + 9n)
        expect(converted.toString()).toMatch(/^(0|[1-9][0-9]?0*)$/)
      }),
    )
  })
})

describe('at the edge', () => {
  const free: FeeTerms = { serviceBps: 0, feeBps: 0, networkFee: amount(0n) }
  const tenth: Ratio = { numerator: 1n, denominator: 10n }

  it('an input beyond u64 is no transfer, though its output is within', () => {
    expect(amountsOf(U64_MAX, free, tenth)?.amountOut).toBe(U64_MAX / 10n)
    expect(amountsOf(U64_MAX + 1n, free, tenth)).toBeUndefined()
  })

  it('an output may be all of u64, and never nothing', () => {
    expect(amountsOf(U64_MAX, free, SAME_ASSET)?.amountOut).toBe(U64_MAX)
    expect(amountsOf(9n, free, tenth)).toBeUndefined()
    expect(amountsOf(10n, free, tenth)?.amountOut).toBe(1n)
  })

  it('fees beyond the input leave less than nothing, however little the rate makes of it', () => {
    expect(outputOf(1n, { ...free, networkFee: amount(2n) }, tenth)).toBe(-1n)
  })

  it('without fees the greatest input for an output is the output itself', () => {
    expect(greatestInput(1_000n, free, SAME_ASSET)).toBe(1_000n)
    expect(greatestInput(1_000n, free, tenth)).toBe(10_009n)
  })
})

it('takes the spread from the rate and nothing else', () => {
  const rate = { numerator: 15n, denominator: 100n }
  expect(withSpread(rate, 0)).toEqual({ numerator: 150_000n, denominator: 1_000_000n })
  expect(withSpread(rate, 100)).toEqual({ numerator: 148_500n, denominator: 1_000_000n })
})
