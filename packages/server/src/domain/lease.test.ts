import { expect, it } from 'vitest'
import { isLeaseHeld } from './lease.ts'

const NOW = 1_000_000
const LEASE = 8_000

it('a lease is valid until its end, even if its writer’s clock is some seconds ahead', () => {
  expect(isLeaseHeld(undefined, NOW, LEASE)).toBe(false)
  expect(isLeaseHeld(NOW, NOW, LEASE)).toBe(false)
  expect(isLeaseHeld(NOW + 1, NOW, LEASE)).toBe(true)
  expect(isLeaseHeld(NOW + LEASE + 5_000, NOW, LEASE)).toBe(true)
  expect(isLeaseHeld(NOW + 2 * LEASE, NOW, LEASE)).toBe(true)
})

it('a lease that no correct clock can have written is invalid', () => {
  expect(isLeaseHeld(NOW + 2 * LEASE + 1, NOW, LEASE)).toBe(false)
  expect(isLeaseHeld(NOW + 365 * 86_400_000, NOW, LEASE)).toBe(false)
})
