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
  withSpread,
  type FeeTerms,
  type Ratio,
} from './fees.ts'

/** An independent model of the fees: exact rationals, rounded only in the places that the contract names. */
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

/** A value and a payout, in exact rationals. */
function model(amountIn: bigint, terms: FeeTerms, rate: Ratio) {
  const bps = (share: number) => new Rational(BigInt(share), 10_000n)
  const partnerFee = new Rational(amountIn).times(bps(terms.feeBps)).ceil()
  const exchange = new Rational(rate.numerator, rate.denominator)
  const value = new Rational(amountIn - partnerFee).times(exchange).floor()
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

describe('an input over the whole of u64', () => {
  it('is split exactly as the rational model says', () => {
    fc.assert(
      fc.property(input, feeTerms, anyRate, (paid, terms, rate) => {
        const amounts = amountsOf(paid, terms, rate)
        const expected = model(paid, terms, rate)
        const isPayable = expected.amountOut > 0n && expected.value <= U64_MAX
        expect(amounts !== undefined).toBe(isPayable)
        if (amounts !== undefined) expect(amounts).toEqual({ amountIn: paid, ...expected })
      }),
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

  it('leaves a settlement exactly the fee for its gross amount', () => {
    fc.assert(
      fc.property(input, feeTerms, anyRate, (paid, terms, rate) => {
        const amounts = amountsOf(paid, terms, rate)
        if (amounts === undefined) return
        const { value, amountOut } = amounts
        expect(value - amountOut).toBe(settleFee(value, terms))
        // Neither the rate nor the partner's share changes the fee: equal values pay equal fees.
        const { serviceBps, networkFee } = terms
        expect(payoutOf(value, { serviceBps, networkFee })).toBe(amountOut)
      }),
    )
  })
})

describe('exact_out', () => {
  it('delivers exactly the amount if the input is the least sufficient one', () => {
    fc.assert(
      fc.property(input, feeTerms, (wanted, terms) => {
        const least = leastInput(wanted, terms, SAME_ASSET)
        expect(outputOf(least, terms, SAME_ASSET)).toBe(wanted)
        expect(outputOf(least - 1n, terms, SAME_ASSET)).toBeLessThan(wanted)
      }),
    )
  })

  it('gives exactly the value that pays the amount, and the greatest input that leaves that value', () => {
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
  it('are the last sufficient or allowed inputs, for sends and swaps', () => {
    fc.assert(
      fc.property(input, feeTerms, anyRate, (sum, terms, rate) => {
        const least = leastInput(sum, terms, rate)
        expect(outputOf(least, terms, rate)).toBeGreaterThanOrEqual(sum)
        expect(outputOf(least - 1n, terms, rate)).toBeLessThan(sum)
        const greatest = greatestInput(sum, terms, rate)
        expect(model(greatest, terms, rate).value).toBeLessThanOrEqual(sum)
        expect(model(greatest + 1n, terms, rate).value).toBeGreaterThan(sum)
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
    expect(settleFee(1n, { serviceBps: 1, networkFee: 0n })).toBe(1n)
    expect(amountsOf(100n, { ...free, feeBps: 1 }, SAME_ASSET)).toMatchObject({ partnerFee: 1n })
  })

  it('without a share the greatest input for a value is the value itself', () => {
    expect(greatestInput(1_000n, free, SAME_ASSET)).toBe(1_000n)
    expect(greatestInput(1_000n, free, tenth)).toBe(10_009n)
  })
})

it('the spread changes only the rate', () => {
  const rate = { numerator: 15n, denominator: 100n }
  expect(withSpread(rate, 0)).toEqual({ numerator: 150_000n, denominator: 1_000_000n })
  expect(withSpread(rate, 100)).toEqual({ numerator: 148_500n, denominator: 1_000_000n })
})
