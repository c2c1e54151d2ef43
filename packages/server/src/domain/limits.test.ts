import { amount } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amountsOf, outputOf, SAME_ASSET } from './fees.ts'
import { limitsOf } from './limits.ts'

const TERMS = { serviceBps: 25, feeBps: 50, networkFee: amount(7n) }
const RATE = { numerator: 3n, denominator: 2n }
const worth = (paid: bigint) => amountsOf(paid, TERMS, RATE)?.value ?? 0n
const FREE = { serviceBps: 0, feeBps: 0, networkFee: amount(0n) }

it('bounds the input amount for exact_in', () => {
  const bounds = { inputMax: amount(1_000_000n), outputMin: amount(500n) }
  expect(limitsOf('exact_in', bounds, FREE, SAME_ASSET)).toEqual({ min: 500n, max: 1_000_000n })
})

it('bounds the output amount for exact_out', () => {
  const bounds = { inputMax: amount(1_000_000n), outputMin: amount(500n) }
  const max = outputOf(1_000_000n, TERMS, SAME_ASSET)
  expect(limitsOf('exact_out', bounds, TERMS, SAME_ASSET)).toEqual({ min: 500n, max })
})

it('uses the inventory as the bound if the greatest input is worth more than the inventory', () => {
  const bounds = { inputMax: amount(1_000_000n), outputMin: amount(1n), valueMax: amount(3_000n) }
  const { max } = limitsOf('exact_in', bounds, TERMS, RATE)
  expect(worth(max)).toBeLessThanOrEqual(3_000n)
  expect(worth(max + 1n)).toBeGreaterThan(3_000n)
  const plenty = { ...bounds, valueMax: amount(10n ** 12n) }
  expect(limitsOf('exact_in', plenty, TERMS, RATE).max).toBe(1_000_000n)
})

it('returns a max below the min if no amount can be transferred', () => {
  const bounds = { inputMax: amount(3n), outputMin: amount(1n) }
  expect(limitsOf('exact_out', bounds, TERMS, SAME_ASSET)).toEqual({ min: 1n, max: 0n })
  const { min, max } = limitsOf('exact_in', bounds, TERMS, SAME_ASSET)
  expect(max).toBeLessThan(min)
})

it('allows every amount from min to max, and refuses min - 1 and max + 1', () => {
  const value = fc.bigInt({ min: 1n, max: 10n ** 12n })
  fc.assert(
    fc.property(value, value, value, (inputMax, outputMin, valueMax) => {
      const { min, max } = limitsOf(
        'exact_in',
        { inputMax: amount(inputMax), outputMin: amount(outputMin), valueMax: amount(valueMax) },
        TERMS,
        RATE,
      )
      const isWithin = (paid: bigint) =>
        paid <= inputMax && outputOf(paid, TERMS, RATE) >= outputMin && worth(paid) <= valueMax
      expect(isWithin(min)).toBe(min <= max)
      expect(isWithin(max)).toBe(min <= max)
      expect(isWithin(min - 1n)).toBe(false)
      expect(isWithin(max + 1n)).toBe(false)
    }),
  )
})
