import { describe, expect, it } from 'vitest'
import { paymentRate, unpaidOrdersMax } from './unpaid-orders.ts'

const account = (accountId: string, open: number, paid = 0, ended = 0) => ({
  ...{ accountId, open, paid, ended },
})

describe('unpaid orders', () => {
  it('of one account never use another account’s part', () => {
    for (const open of [0, 127, 1_000, 1_000_000]) {
      expect(unpaidOrdersMax(128, [account('flood', open)], 'other')).toBeGreaterThanOrEqual(64)
    }
    // An account may use all capacity that other accounts leave free.
    expect(unpaidOrdersMax(128, [], 'alone')).toBe(128)
    expect(unpaidOrdersMax(131, [account('small', 3)], 'other')).toBe(128)
    expect(unpaidOrdersMax(0, [], 'alone')).toBe(0)
  })

  it('are weighted by the account’s share of paid orders', () => {
    expect(paymentRate({ paid: 0, ended: 0 })).toBe(1_000)
    expect(paymentRate({ paid: 100, ended: 100 })).toBe(1_000)
    expect(paymentRate({ paid: 40, ended: 100 })).toBe(500)
    expect(unpaidOrdersMax(64, [account('half', 1, 40, 100)], 'half')).toBe(128)
    // An account that has never paid may still create orders, and its unpaid orders are counted.
    expect(paymentRate({ paid: 0, ended: 100_000 })).toBe(100)
    expect(unpaidOrdersMax(74, [account('never', 100, 0, 100_000)], 'other')).toBe(64)
    expect(unpaidOrdersMax(73, [account('never', 100, 0, 100_000)], 'other')).toBe(32)
  })

  it('show neither the deposits nor the orders of others one by one', () => {
    const limits = new Set<number>()
    for (let free = 64; free < 128; free += 1) limits.add(unpaidOrdersMax(free, [], 'alone'))
    for (let open = 0; open < 64; open += 1) {
      limits.add(unpaidOrdersMax(127, [account('busy', open)], 'alone'))
    }
    expect([...limits]).toEqual([64])
  })

  it('of eight accounts at their limits stay below three times the capacity', () => {
    const unpaid: ReturnType<typeof account>[] = []
    for (let count = 1; count <= 8; count += 1) {
      unpaid.push(account(`${count}`, unpaidOrdersMax(1_000, unpaid, `${count}`)))
    }
    const sum = unpaid.reduce((open, one) => open + one.open, 0)
    expect([sum > 1_000, sum < 3_000]).toEqual([true, true])
  })
})
