import { expect, it } from 'vitest'
import { orderIdOf, trackingIdOf } from './order-names.ts'

it('converts an order’s id to its tracking id and back', () => {
  for (const orderId of ['07'.repeat(16), 'ff'.repeat(16), 'fbefbe0102030405060708090a0b0c0d']) {
    const trackingId = trackingIdOf(orderId)
    expect(trackingId).toMatch(/^tr_[\w-]{22}$/)
    expect(orderIdOf(trackingId)).toBe(orderId)
  }
})
