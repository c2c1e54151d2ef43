import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { isEnding, timesFor } from './time-of-payment.ts'

it('announces the end of a balance days ahead, and never after the end', () => {
  const end = unixSeconds(1_900_000_000n)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n))).toBe(true)
  expect(isEnding(end, unixSeconds(end - 5n * 86_400n - 1n))).toBe(false)
  expect(isEnding(end, unixSeconds(end - 1n))).toBe(true)
  expect(isEnding(end, end)).toBe(false)
})

it.each([-2n, 0n, 2n])(
  'measures a payment by the chain’s clock if the browser’s clock is %i hours ahead',
  (hours) => {
    const clock = unixSeconds(1_900_000_000n)
    const settled = unixSeconds(clock + 3_600n)
    const browserMs = Number(clock + hours * 3_600n) * 1_000
    const read = { clock, readMs: browserMs }
    expect(timesFor(read, settled, browserMs + 600_000)).toEqual({
      now: clock + 600n,
      left: 3_000n,
      // The browser's clock shows this time when the chain's clock reaches `settled`.
      fromMs: browserMs + 3_600_000,
    })
  },
)
