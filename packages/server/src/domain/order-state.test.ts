import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  canBecome,
  isFinal,
  ORDER_STATUSES,
  statusesBefore,
  type OrderStatus,
} from './order-state.ts'

/** The progress of an order. On every path, it only increases. */
const RANK: Record<OrderStatus, number> = {
  awaiting_deposit: 0,
  awaiting_signature: 0,
  deposited: 1,
  delivering: 2,
  refunding: 3,
  delivered: 4,
  refunded: 4,
  expired: 4,
}
const statuses = fc.constantFrom(...ORDER_STATUSES)

describe('the life of an order', () => {
  it('never goes back in any sequence of transitions', () => {
    fc.assert(
      fc.property(fc.array(statuses, { maxLength: 40 }), (wished) => {
        let status: OrderStatus = 'awaiting_deposit'
        for (const next of wished) {
          // Like the store's compare-and-sets, the test allows a change only if the current status may precede the new
          // one.
          if (!statusesBefore(next).includes(status)) continue
          expect(isFinal(status)).toBe(false)
          expect(RANK[next]).toBeGreaterThan(RANK[status])
          status = next
        }
      }),
    )
  })

  it('gives the store exactly the transitions of the state machine', () => {
    fc.assert(
      fc.property(statuses, statuses, (from, to) => {
        expect(statusesBefore(to).includes(from)).toBe(canBecome(from, to))
        if (isFinal(from)) expect(canBecome(from, to)).toBe(false)
      }),
    )
  })

  it('can end from every status, as delivered, refunded or expired', () => {
    expect(ORDER_STATUSES.filter(isFinal)).toEqual(['delivered', 'refunded', 'expired'])
    for (const status of ORDER_STATUSES.filter((one) => !isFinal(one))) {
      expect(ORDER_STATUSES.some((to) => isFinal(to) && canBecome(status, to))).toBe(true)
    }
    expect(statusesBefore('expired')).toEqual(['awaiting_deposit', 'awaiting_signature'])
  })
})
