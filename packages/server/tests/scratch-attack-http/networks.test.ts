import { expect, it } from 'vitest'
import { PageLimits } from '../../src/http/send-page/page-limits.ts'
import { networkOf } from '../../src/http/network-of.ts'
import { accountShare, shareLeft } from '../../src/usecases/order/order-room.ts'

it('one customer of a provider with a /56 counts as one caller', () => {
  const limits = new PageLimits(
    { nowMs: () => 0, sleep: async () => undefined },
    { perSecond: 50, burst: 200 },
  )
  let passed = 0
  for (let subnet = 0; subnet < 256; subnet += 1) {
    for (let order = 0; order < 10; order += 1) {
      try {
        limits.take('order', `2001:db8:1:${subnet.toString(16)}::1`)
        passed += 1
      } catch {}
    }
  }
  expect(passed).toBeLessThanOrEqual(20)
})
it('networks', () => {
  expect(networkOf('2001:db8:1:1::1')).toBe(networkOf('2001:db8:1:2::1'))
})
it('the max of a visitor counts what the network has reserved', () => {
  const asset = {
    facts: { swapAvailable: 1000n },
    reservedBy: new Map([['page', 250n]]),
    reserved: 250n,
  } as never
  expect(accountShare(asset, 50)).toBe(500n)
  // This network has already reserved its whole part, 250.
  expect(shareLeft(asset, { id: 'page', visitor: '192.0.2.1' } as never, 50)).toBe(0n)
})
