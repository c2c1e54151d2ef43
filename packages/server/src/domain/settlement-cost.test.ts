import { expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { affordable, BALANCE_MIN, SETTLEMENT_LAMPORTS } from './settlement-cost.ts'

it('each relayer counts for the settlements that it can pay for alone, and for none below its minimum balance', () => {
  expect(affordable([], amount(0n))).toBe(0n)
  expect(affordable([amount(BALANCE_MIN - 1n), amount(BALANCE_MIN - 1n)], amount(0n))).toBe(0n)
  expect(affordable([amount(BALANCE_MIN)], amount(0n))).toBe(1n)
  expect(
    affordable([amount(BALANCE_MIN + SETTLEMENT_LAMPORTS - 1n), amount(BALANCE_MIN)], amount(0n)),
  ).toBe(2n)
  expect(affordable([amount(BALANCE_MIN + 3n * SETTLEMENT_LAMPORTS), amount(5n)], amount(0n))).toBe(
    4n,
  )
})

it('the priority fee raises the cost of every settlement', () => {
  const balance = BALANCE_MIN + 8n * SETTLEMENT_LAMPORTS
  expect(affordable([amount(balance)], amount(SETTLEMENT_LAMPORTS))).toBe(4n)
})
