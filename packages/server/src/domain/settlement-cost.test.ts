import { expect, it } from 'vitest'
import { affordable, BALANCE_MIN, SETTLEMENT_LAMPORTS } from './settlement-cost.ts'

it('a relayer counts for the settlements that it can pay alone, and does not count below its minimum', () => {
  expect(affordable([], 0n)).toBe(0n)
  expect(affordable([BALANCE_MIN - 1n, BALANCE_MIN - 1n], 0n)).toBe(0n)
  expect(affordable([BALANCE_MIN], 0n)).toBe(1n)
  expect(affordable([BALANCE_MIN + SETTLEMENT_LAMPORTS - 1n, BALANCE_MIN], 0n)).toBe(2n)
  expect(affordable([BALANCE_MIN + 3n * SETTLEMENT_LAMPORTS, 5n], 0n)).toBe(4n)
})

it('the priority fee raises the cost of every settlement', () => {
  const balance = BALANCE_MIN + 8n * SETTLEMENT_LAMPORTS
  expect(affordable([balance], SETTLEMENT_LAMPORTS)).toBe(4n)
})
