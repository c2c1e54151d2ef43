import { amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { hoursUntilDry } from './inventory-runway.ts'

const hours = (inventory: bigint, paidOut: bigint, takenIn = 0n) =>
  hoursUntilDry({ inventory: amount(inventory), paidOut, takenIn })

it('divides the inventory by the rate of a day, and never rounds up', () => {
  // At 1,000 per day, 125 last for three hours and 124 for less than three hours.
  expect(hours(125n, 1_000n)).toBe(3)
  expect(hours(124n, 1_000n)).toBe(1)
  expect(hours(1_000n, 1_000n)).toBe(24)
  expect(hours(999n, 1_000n)).toBe(12)
})

it('swaps that refill the inventory count against those that empty it', () => {
  expect(hours(1_000n, 3_000n, 2_000n)).toBe(24)
  expect(hours(1_000n, 3_000n, 3_000n)).toBe(720)
  expect(hours(1_000n, 3_000n, 4_000n)).toBe(720)
})

it('an empty inventory is dry, although it has no rate any more', () => {
  expect(hours(0n, 0n)).toBe(0)
  expect(hours(0n, 5n)).toBe(0)
})

it('reports at most a month, without overflow', () => {
  expect(hours(18_446_744_073_709_551_615n, 1n)).toBe(720)
  expect(hours(30_000n, 1_000n)).toBe(720)
  expect(hours(29_999n, 1_000n)).toBe(336)
})
