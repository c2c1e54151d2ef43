import { expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { affordable, relayerMinimum, settlementCost } from './settlement-cost.ts'

const FREE = amount(0n)
const USUAL = { lamportsPerByte: 6_960n, priority: FREE }
const [LEAST, COST] = [relayerMinimum(USUAL), settlementCost(USUAL)]

it('counts the settlements that each relayer can pay for alone', () => {
  expect(affordable([], USUAL)).toBe(0n)
  expect(affordable([amount(LEAST - 1n), amount(LEAST - 1n)], USUAL)).toBe(0n)
  expect(affordable([LEAST], USUAL)).toBe(1n)
  expect(affordable([amount(LEAST + COST - 1n), LEAST], USUAL)).toBe(2n)
  expect(affordable([amount(LEAST + 3n * COST), amount(5n)], USUAL)).toBe(4n)
})

it('the priority fee raises the cost of every settlement', () => {
  const prices = { ...USUAL, priority: COST }
  expect(settlementCost(prices)).toBe(2n * COST)
  expect(affordable([amount(LEAST + 10n * COST)], prices)).toBe(5n)
})

it.each([3_480n, 5_080n, 6_960n, 13_920n])(
  'at a rent of %i lamports per byte, a settlement costs two rents and the signatures',
  (lamportsPerByte) => {
    const prices = { lamportsPerByte, priority: FREE }
    expect(settlementCost(prices)).toBe((128n + 40n + 128n + 170n) * lamportsPerByte + 15_000n)
    expect(relayerMinimum(prices)).toBe(2n * settlementCost(prices) + 128n * lamportsPerByte)
  },
)
