import { unixSeconds } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { systemRandom } from '../../adapters/random/system-random.ts'
import { decodePlan, encodeTerms } from '../../domain/order-secrets.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { drawPlan } from './plan-delivery.ts'

const NOW_MS = 1_700_000_000_000
const EXPIRY = unixSeconds(9_000_000n)
/** Seconds between the latest drawn time and the expiry, for proofs and landings. */
const MARGIN_SECONDS = 600

const secrets = {
  open: (_id: Uint8Array, _column: string, sealed: Uint8Array) => sealed,
  seal: (_id: Uint8Array, _column: string, clear: Uint8Array) => clear,
} as unknown as EpochSecrets

const LAW = { meanSeconds: 300, spreadSeconds: 1_800 }

/** Draws one delay, in milliseconds. */
function delayMs(asked: readonly [number, number], leftSeconds: number): number {
  const [minDelaySeconds, maxDelaySeconds] = asked
  const terms = { accountExisted: true, minDelaySeconds, maxDelaySeconds }
  const sealedTerms = encodeTerms({ ...terms, recipient: '' as never })
  const order = { orderId: new Uint8Array(16), sealedTerms, expiry: EXPIRY }
  const sealed = drawPlan({ random: systemRandom, delayLaw: LAW }, order, secrets, {
    seconds: unixSeconds(EXPIRY - BigInt(leftSeconds)),
    ms: NOW_MS,
  })
  return decodePlan(sealed).deliverAtMs - NOW_MS
}

const draws = (asked: readonly [number, number], leftSeconds: number): number[] =>
  Array.from({ length: 400 }, () => delayMs(asked, leftSeconds))

/** Returns the share of the drawn delays that are below a number of milliseconds. */
const shareBelow = (drawn: readonly number[], ms: number): number =>
  drawn.filter((one) => one < ms).length / drawn.length

it('draws from the rest of the window if an order is paid after 29 of 30 minutes', () => {
  // The deadline is a minute away, and the expiry is an hour after the deadline. So 3,060 seconds are left for the
  // delay.
  const drawn = draws([10, 3_600], 60 + 3_600)
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(10_000)
  expect(Math.max(...drawn)).toBeLessThanOrEqual(3_060_000)
  expect(new Set(drawn).size).toBeGreaterThan(390)
  // The mean is twice the mean of the default window. So about half of all delays exceed seven minutes.
  expect(shareBelow(drawn, 7 * 60_000)).toBeGreaterThan(0.35)
  expect(shareBelow(drawn, 7 * 60_000)).toBeLessThan(0.65)
})

it('lowers a minimum delay that does not fit, so that the delivery time stays random', () => {
  const drawn = draws([3_400, 3_600], 3_600)
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(2_800_000)
  expect(Math.max(...drawn)).toBeLessThanOrEqual(3_000_000)
  expect(new Set(drawn).size).toBeGreaterThan(390)
})

it('leaves at least the margin before the expiry, however late the deposit was seen', () => {
  fc.assert(
    fc.property(
      fc.nat({ max: 3_600 }),
      fc.nat({ max: 3_600 }),
      fc.nat({ max: 6_000 }),
      (one, other, left) => {
        const drawn = delayMs([Math.min(one, other), Math.max(one, other)], left)
        expect(drawn).toBeGreaterThanOrEqual(0)
        expect(drawn).toBeLessThanOrEqual(Math.max(0, left - MARGIN_SECONDS) * 1_000)
      },
    ),
  )
})
