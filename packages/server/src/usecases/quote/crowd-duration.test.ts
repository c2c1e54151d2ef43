import { ceilToGrid, expiryOf, unixSeconds } from '@sotto/protocol'
import { expect, it } from 'vitest'
import { durationOf } from './quote-transfer.ts'

const [ORDER, WINDOW, QUOTE, GRID] = [1_800, 3_600, 60, 600]
const FIRST = 1_800_000_000

it('no order of a crowd waits longer than its quote states', () => {
  const delays = {
    ...{ meanSeconds: 60, minDelaySeconds: 0, maxDelaySeconds: 600 },
    windowSeconds: WINDOW,
  }
  const d = { arrivalSeconds: () => 1, orderSeconds: ORDER, delays }
  for (let now = FIRST; now < FIRST + GRID; now += 7) {
    const stated = durationOf(d, { min: 2, missed: 'refund' }, delays, unixSeconds(BigInt(now)))
    for (let ordered = now; ordered <= now + QUOTE; ordered += 1) {
      const deadline = ceilToGrid(BigInt(ordered + ORDER))
      expect(Number(expiryOf(deadline, BigInt(WINDOW))) - ordered).toBeLessThanOrEqual(stated)
    }
  }
})
