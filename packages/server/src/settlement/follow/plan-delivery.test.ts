import { unixSeconds } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodePlan, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { drawPlan } from './plan-delivery.ts'

const NOW_MS = 1_700_000_000_000
const EXPIRY = unixSeconds(9_000_000n)
/** Time reserved for the proof and for landing, after the drawn time. */
const MARGIN_SECONDS = 600

const secrets = {
  open: (_id: Uint8Array, _column: string, sealed: Uint8Array) => sealed,
  seal: (_id: Uint8Array, _column: string, clear: Uint8Array) => clear,
} as unknown as EpochSecrets

/** The drawn delay in milliseconds. The random source picks this share of the allowed range. */
function delayMs(asked: readonly [number, number], leftSeconds: number, share: number): number {
  const [minDelaySeconds, maxDelaySeconds] = asked
  const terms = { accountExisted: true, minDelaySeconds, maxDelaySeconds }
  const sealedTerms = encodeTerms({ ...terms, recipient: '' as never })
  const random = {
    below: (bound: number) => Math.min(bound - 1, Math.floor(bound * share)),
    bytes: () => new Uint8Array(0),
  }
  const order = { orderId: new Uint8Array(16), sealedTerms, expiry: EXPIRY }
  const sealed = drawPlan(
    { random, clock: { nowMs: () => NOW_MS } as never },
    order,
    secrets,
    EXPIRY - BigInt(leftSeconds),
  )
  return decodePlan(sealed).deliverAtMs - NOW_MS
}

it('a sender who pays in the last second still gets a random delay from the remaining window', () => {
  // The latest possible deposit leaves only the delivery window minus the margin.
  expect(delayMs([0, 3_600], 3_600, 0)).toBe(0)
  expect(delayMs([0, 3_600], 3_600, 0.5)).toBeCloseTo(1_500_000, -1)
  expect(delayMs([0, 3_600], 3_600, 1)).toBe(3_000_000)
  expect(delayMs([10, 3_600], 3_600, 1)).toBe(3_000_000)
  expect(delayMs([10, 3_600], 3_600, 0)).toBe(10_000)
  // A minimum that doesn't fit keeps its distance from the maximum, so that no delivery has a predictable second.
  expect(delayMs([3_400, 3_600], 3_600, 0)).toBe(2_800_000)
  expect(delayMs([3_400, 3_600], 3_600, 1)).toBe(3_000_000)
})

it('every delay leaves at least the margin before the expiry, however late the deposit was seen', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 3_600 }),
      fc.nat({ max: 3_600 }),
      fc.nat({ max: 6_000 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (one, other, left, share) => {
        const drawn = delayMs([Math.min(one, other), Math.max(one, other)], left, share)
        expect(drawn).toBeGreaterThanOrEqual(0)
        expect(drawn).toBeLessThanOrEqual(Math.max(0, left - MARGIN_SECONDS) * 1_000)
      },
    ),
  )
})
