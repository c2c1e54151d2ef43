import { amount, STEP_MAX } from '@sotto/protocol'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { costAfter, mayOffer, mayRaise, NO_COST, type InBlock } from './order-cost.ts'
import { settlementPriority } from './settlement-cost.ts'

const LIMITS = { floor: 1, orderMax: amount(786_432n) }
const inBlock = fc.constantFrom<InBlock>('yes', 'no', 'unknown')
const step = fc.integer({ min: 0, max: STEP_MAX })

it('attempts above the lowest price never cost more than the order’s limit', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(step, inBlock), { maxLength: 40 }), (deaths) => {
      let [cost, above] = [NO_COST, 0n]
      for (const [offered, seen] of deaths) {
        if (!mayOffer(cost, offered, LIMITS)) continue
        if (seen !== 'no' && offered > LIMITS.floor) above += settlementPriority(offered)
        cost = costAfter(cost, offered, seen)
      }
      expect(above).toBeLessThanOrEqual(LIMITS.orderMax)
    }),
  )
})

it('an order offers only the lowest price once it may have paid the highest price three times', () => {
  let cost = NO_COST
  for (const seen of ['yes', 'unknown', 'no', 'yes'] as const) {
    expect(mayOffer(cost, STEP_MAX, LIMITS)).toBe(true)
    expect(mayRaise(cost, LIMITS)).toBe(true)
    cost = costAfter(cost, STEP_MAX, seen)
  }
  expect(cost).toBe(786_432n)
  expect([0, 1, 2, STEP_MAX].map((offered) => mayOffer(cost, offered, LIMITS))).toEqual([
    ...[true, true, false, false],
  ])
  expect(mayRaise(cost, LIMITS)).toBe(false)
})
