import { expect, test } from 'vitest'
import type { Outflow } from './history.ts'
import { excessOf, noteLimits } from './outflow.ts'

const limits = { swapCap: 100n, swapPeriodSeconds: 10n }
const of = (...swaps: (readonly [clock: bigint, value: bigint])[]) => {
  const outflow: Outflow = { swapCap: 0n, swapPeriodSeconds: 0n, swaps: [] }
  noteLimits(outflow, limits)
  for (const [clock, value] of swaps) outflow.swaps.push({ clock, value })
  return outflow
}

test('I6: swaps that exceed the cap plus its refill in any time span are detected', () => {
  expect(excessOf(of([50n, 100n], [55n, 50n]))).toBe(0n)
  expect(excessOf(of([50n, 100n], [55n, 51n]))).toBe(1n)
  // The idle time before the second swap must not hide the excess of the second and third swap.
  expect(excessOf(of([0n, 1n], [50n, 100n], [51n, 11n]))).toBe(1n)
  expect(excessOf(of([0n, 100n], [1_000n, 100n], [1_000n, 1n]))).toBe(1n)
})

test('I6: a change of limits by the admin starts a new count', () => {
  const outflow = of([50n, 100n])
  noteLimits(outflow, { ...limits, swapPeriodSeconds: 5n })
  outflow.swaps.push({ clock: 50n, value: 100n })
  expect(excessOf(outflow)).toBe(0n)
})
