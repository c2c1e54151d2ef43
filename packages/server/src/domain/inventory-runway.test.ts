import { amount } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { hoursUntilDry, type Flow } from './inventory-runway.ts'

const flow = (paidOut: bigint, takenIn = 0n): Flow => ({ paidOut, takenIn })
const hours = (inventory: bigint, day: Flow, hour: Flow = flow(0n), reserved = 0n) =>
  hoursUntilDry({ inventory: amount(inventory), reserved: amount(reserved), day, hour })

it('divides the inventory by the day’s rate and rounds down', () => {
  // At a rate of 1,000 units per day, 125 units last for three hours, and 124 units last for less than three hours.
  expect(hours(125n, flow(1_000n))).toBe(3)
  expect(hours(124n, flow(1_000n))).toBe(1)
  expect(hours(1_000n, flow(1_000n))).toBe(24)
  expect(hours(999n, flow(1_000n))).toBe(12)
})

it('subtracts the swaps that refill the inventory', () => {
  expect(hours(1_000n, flow(3_000n, 2_000n))).toBe(24)
  expect(hours(1_000n, flow(3_000n, 3_000n))).toBe(720)
  expect(hours(1_000n, flow(3_000n, 4_000n))).toBe(720)
})

it('uses the last hour’s rate if it would empty the inventory within half a day', () => {
  // The whole day's swaps were made in the last hour.
  expect(hours(1_000n, flow(250n), flow(250n))).toBe(3)
  expect(hours(1_000n, flow(90n), flow(90n))).toBe(6)
  // At this rate, the inventory lasts for longer than half a day. A single swap may have caused this rate, so the rate
  // is ignored.
  expect(hours(1_000n, flow(80n), flow(80n))).toBe(168)
  // A quiet hour doesn't hide a busy day.
  expect(hours(1_000n, flow(4_000n), flow(0n))).toBe(6)
  expect(hours(1_000n, flow(0n, 500n), flow(300n, 50n))).toBe(3)
})

it('counts reserved amounts as used, in quarters of the inventory', () => {
  const reserving = (reserved: bigint) => hours(1_000n, flow(1_000n), flow(0n), reserved)
  // Less than a quarter isn't visible, so the metric doesn't show single orders.
  expect(reserving(249n)).toBe(24)
  expect(reserving(250n)).toBe(12)
  expect(reserving(499n)).toBe(12)
  expect(reserving(750n)).toBe(6)
  expect(reserving(1_000n)).toBe(0)
  expect(reserving(2_000n)).toBe(0)
})

it('reports 0 hours for an empty inventory', () => {
  expect(hours(0n, flow(0n))).toBe(0)
  expect(hours(0n, flow(5n))).toBe(0)
})

it('reports at most a month, without overflow', () => {
  expect(hours(18_446_744_073_709_551_615n, flow(1n))).toBe(720)
  expect(hours(30_000n, flow(1_000n))).toBe(720)
  expect(hours(29_999n, flow(1_000n))).toBe(336)
})
