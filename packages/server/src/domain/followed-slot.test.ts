import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { boundedHead, isBehind, SLOTS_AHEAD_MAX, witnessedClock } from './followed-slot.ts'

const NOW_MS = 1_000_000_000
const NOW = 1_000_000n
const cursor = { slot: 5_000n, unixSeconds: unixSeconds(NOW - 10n), followedAtMs: NOW_MS - 10_000 }

it('a cursor moves by at most the slots that a chain can have produced in the meantime', () => {
  const near = { slot: 5_025n, unixSeconds: unixSeconds(NOW - 1n) }
  expect(boundedHead(near, cursor, NOW_MS)).toEqual(near)
  // The chain can't have reached this slot yet, so the head's time isn't used either.
  const lie = { slot: 9_000_000n, unixSeconds: unixSeconds(NOW - 1n) }
  expect(boundedHead(lie, cursor, NOW_MS)).toEqual({ slot: 5_055n, unixSeconds: NOW - 10n })
  // After an hour without workers, the cursor catches up in one step.
  const away = { ...cursor, followedAtMs: NOW_MS - 3_600_000 }
  const caughtUp = { slot: 14_000n, unixSeconds: unixSeconds(NOW - 1n) }
  expect(boundedHead(caughtUp, away, NOW_MS)).toEqual(caughtUp)
})

it('the cursor’s first step has no limit, and a step after the wall clock was set back has a fixed limit', () => {
  const head = { slot: 9_000n, unixSeconds: unixSeconds(NOW) }
  expect(boundedHead(head, { ...cursor, slot: 0n }, NOW_MS).slot).toBe(9_000n)
  const ahead = { ...cursor, followedAtMs: NOW_MS + 86_400_000 }
  expect(boundedHead(head, ahead, NOW_MS).slot).toBe(5_150n)
})

it('a time in the future counts as now', () => {
  const head = { slot: 5_001n, unixSeconds: unixSeconds(NOW + 7_200n) }
  expect(boundedHead(head, cursor, NOW_MS).unixSeconds).toBe(NOW)
})

it('a time has passed only if the chain’s clock and the wall clock have passed it', () => {
  expect(witnessedClock(unixSeconds(NOW + 9_000n), NOW_MS, 120n)).toBe(NOW - 120n)
  expect(witnessedClock(unixSeconds(NOW - 500n), NOW_MS, 120n)).toBe(NOW - 500n)
  // On a local chain, whose time can be advanced, there is no margin.
  expect(witnessedClock(unixSeconds(NOW + 9_000n), NOW_MS, undefined)).toBe(NOW + 9_000n)
})

it('a cursor is wrong if it is further ahead than a node can lag', () => {
  const far = { slot: 5_000n + SLOTS_AHEAD_MAX + 1n, nextLeaf: 3n }
  expect(isBehind({ slot: 5_000n, nextLeaf: 3n }, far)).toBe(false)
  expect(isBehind({ slot: 5_000n, nextLeaf: 2n }, far)).toBe(true)
  expect(isBehind({ slot: 5_001n, nextLeaf: 3n }, far)).toBe(true)
})
