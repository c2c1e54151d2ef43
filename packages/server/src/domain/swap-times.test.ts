import { expect, it } from 'vitest'
import { unixSeconds } from '@sotto/protocol'
import { swapEnd } from './swap-times.ts'

it('the end of a swap’s authorisation is rounded down to 30 seconds', () => {
  for (let clock = 1_799_999_970n; clock < 1_800_000_060n; clock += 1n) {
    const end = swapEnd(unixSeconds(clock), 90n)
    expect(end % 30n).toBe(0n)
    expect(end).toBe(clock - (clock % 30n) + 90n)
    expect(end - clock).toBeLessThanOrEqual(90n)
    expect(end - clock).toBeGreaterThan(60n)
  }
})
