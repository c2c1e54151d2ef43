import { unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { drawPaymentTime } from './wait.ts'

const LINKABLE_UNTIL = unixSeconds(1_800_000_000n)
const HOUR = 3_600n

it('spreads payments over six hours, so that no payment shows the deadline of its top-up', () => {
  const drawn = Array.from({ length: 3_000 }, () => drawPaymentTime(LINKABLE_UNTIL))
  // Each hour is drawn 500 times on average. 300 is nine standard deviations below that average.
  for (let hour = 0n; hour < 6n; hour += 1n) {
    const from = LINKABLE_UNTIL + hour * HOUR
    expect(drawn.filter((at) => at >= from && at < from + HOUR).length).toBeGreaterThan(300)
  }
  expect(drawn.every((at) => at >= LINKABLE_UNTIL && at < LINKABLE_UNTIL + 6n * HOUR)).toBe(true)
})
