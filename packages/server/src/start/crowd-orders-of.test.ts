import { expect, it } from 'vitest'
import { crowdOrdersOf } from './crowd-orders-of.ts'
import { countCrowdOrder } from '../usecases/order/crowd-orders.ts'

const REFUND = { min: 2, missed: 'refund' } as const
const DELIVER = { min: 2, missed: 'deliver' } as const

/** Counts orders against a limit of 100 a day. `isAllowed` is true if the order is within the limit. */
function counter() {
  let nowMs = 0
  const orders = crowdOrdersOf(100, { nowMs: () => nowMs, sleep: async () => undefined })
  const isAllowed = (
    id: string,
    crowd: typeof REFUND | typeof DELIVER | undefined,
    visitor?: string,
  ) => {
    try {
      countCrowdOrder(orders, visitor === undefined ? { id } : { id, visitor }, crowd)
      return true
    } catch (error) {
      expect(error).toMatchObject({ code: 'RATE_LIMITED' })
      return false
    }
  }
  const pass = (seconds: number) => (nowMs += seconds * 1_000)
  return { isAllowed, pass }
}

it('an account may make a limited number of orders with `crowdMissed: refund` per day', () => {
  const { isAllowed, pass } = counter()
  for (let count = 0; count < 100; count += 1) expect(isAllowed('one', REFUND)).toBe(true)
  expect([isAllowed('one', REFUND), isAllowed('other', REFUND)]).toEqual([false, true])
  expect([isAllowed('one', DELIVER), isAllowed('one', undefined)]).toEqual([true, true])
  pass(863)
  expect(isAllowed('one', REFUND)).toBe(false)
  pass(1)
  expect([isAllowed('one', REFUND), isAllowed('one', REFUND)]).toEqual([true, false])
})

it('a network on the send page gets a fiftieth of the page’s limit', () => {
  const { isAllowed } = counter()
  const ofNetwork = (visitor: string) =>
    Array.from({ length: 5 }, () => isAllowed('page', REFUND, visitor))
  for (const visitor of ['192.0.2.1', '192.0.2.2']) {
    expect(ofNetwork(visitor)).toEqual([true, true, false, false, false])
  }
  for (let count = 0; count < 96; count += 1)
    expect(isAllowed('page', REFUND, `${count}`)).toBe(true)
  expect(isAllowed('page', REFUND, 'last')).toBe(false)
})
