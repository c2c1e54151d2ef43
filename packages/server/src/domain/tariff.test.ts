import { amount, STEP_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { deliveryCost, nextTariff, roundFigure } from './tariff.ts'

const u64 = fc.bigInt({ min: 1n, max: 1n << 62n })
const small = fc.bigInt({ min: 1n, max: 10n ** 9n })
const step = fc.integer({ min: 0, max: STEP_MAX })
const tariff = (exists: bigint, created: bigint) => ({
  networkFeeExists: amount(exists),
  networkFeeCreated: amount(created),
})

describe('a round figure', () => {
  it('is a value rounded up to 1, 2 or 5 followed by zeros', () => {
    fc.assert(
      fc.property(u64, (value) => {
        const figure = roundFigure(value)
        expect(figure.toString()).toMatch(/^[125]0*$/)
        expect(figure).toBeGreaterThanOrEqual(value)
        const below = figure.toString().startsWith('5') ? (figure * 2n) / 5n : figure / 2n
        expect(below).toBeLessThan(value)
      }),
    )
  })

  it('has at most 60 different values over the whole range of fees', () => {
    const seen = new Set<bigint>()
    fc.assert(
      fc.property(u64, (value) => void seen.add(roundFigure(value))),
      { numRuns: 5_000 },
    )
    expect(seen.size).toBeLessThanOrEqual(60)
  })
})

describe('the next tariff', () => {
  it('covers the cost of deliveries for any previous tariff and any rate', () => {
    fc.assert(
      fc.property(small, small, small, step, (numerator, denominator, before, priceStep) => {
        const cost = deliveryCost('token', priceStep, 6_960n)
        const next = nextTariff(tariff(before, before), cost, { numerator, denominator })
        expect(next.networkFeeExists * denominator).toBeGreaterThanOrEqual(cost.exists * numerator)
        expect(next.networkFeeCreated * denominator).toBeGreaterThanOrEqual(
          cost.created * numerator,
        )
      }),
    )
  })

  it('falls only to a figure that would also cover a cost that is a quarter higher', () => {
    const fee = fc.bigInt({ min: 1n, max: 10n ** 12n })
    const after = (before: bigint, exact: bigint) => {
      const cost = { exists: amount(exact), created: amount(exact) }
      const one = { numerator: 1n, denominator: 1n }
      return nextTariff(tariff(before, before), cost, one).networkFeeExists
    }
    expect(after(200n, 45n)).toBe(100n)
    fc.assert(
      fc.property(fee, fee, (before, exact) => {
        const next = after(before, exact)
        if (next < before) expect(4n * next).toBeGreaterThanOrEqual(5n * exact)
      }),
      { examples: [[200n, 45n]] },
    )
  })

  it('stays unchanged after a rise if the rate falls by less than a sixth', () => {
    const share = fc.bigInt({ min: 85n, max: 100n })
    fc.assert(
      fc.property(fc.bigInt({ min: 10n ** 6n, max: 10n ** 9n }), share, (top, percent) => {
        const cost = deliveryCost('token2022', 0, 6_960n)
        const at = (numerator: bigint) => ({ numerator, denominator: 10n ** 6n })
        const risen = nextTariff(tariff(1n, 1n), cost, at(top))
        expect(nextTariff(risen, cost, at((top * percent) / 100n))).toEqual(risen)
        const fallen = nextTariff(risen, cost, at(top / 10n))
        expect(fallen.networkFeeCreated).toBeLessThan(risen.networkFeeCreated)
        expect(nextTariff(fallen, cost, at(top / 10n))).toEqual(fallen)
      }),
    )
  })

  it('pays for three signatures, for the priority fee of the next step, and for the account', () => {
    expect(deliveryCost('native', 0, 6_960n)).toEqual({ exists: 18_256n, created: 18_256n })
    expect(deliveryCost('native', 1, 6_960n)).toEqual({ exists: 19_024n, created: 19_024n })
    expect(deliveryCost('native', STEP_MAX, 6_960n).exists).toBe(18_000n + 262_144n)
    expect(deliveryCost('token2022', 0, 6_960n).created).toBe(18_256n + 2_074_080n)
  })

  it('equals the cost if the cost is a round figure', () => {
    const cost = { exists: amount(10n), created: amount(10n) }
    const next = nextTariff(tariff(1n, 1n), cost, { numerator: 1n, denominator: 1n })
    expect(next).toEqual(tariff(10n, 10n))
  })

  it('stays the same if the cost exceeds u64', () => {
    const cost = deliveryCost('token', 0, 6_960n)
    const rate = { numerator: 10n ** 30n, denominator: 1n }
    expect(nextTariff(tariff(5n, 7n), cost, rate)).toEqual(tariff(5n, 7n))
  })

  it('is the same for an existing wallet and for a wallet that the payment creates', () => {
    const { exists, created } = deliveryCost('native', 1, 6_960n)
    expect(created).toBe(exists)
    expect(deliveryCost('token', 1, 6_960n).created - exists).toBe(2_039_280n)
  })
})
