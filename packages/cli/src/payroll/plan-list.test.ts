import fc from 'fast-check'
import { expect, it } from 'vitest'
import { amount } from '@sotto/protocol'
import { greatestFee } from './payment-fee.ts'
import { planList } from './plan-list.ts'

const costs = (...sums: bigint[]) => sums.map((cost, index) => ({ line: index + 2, cost }))

it('a plan pays each line from a single balance, and never takes more than that balance holds', () => {
  const sum = fc.bigInt({ min: 1n, max: 1_000n })
  fc.assert(
    fc.property(fc.array(sum), fc.array(sum, { minLength: 1 }), (lines, sums) => {
      const purses = sums.map((left, index) => ({ name: `${index}`, left: amount(left) }))
      const plan = planList(costs(...lines), purses)
      const total = (all: readonly bigint[]) => all.reduce((one, other) => one + other, 0n)
      if (plan.kind === 'short') {
        expect(plan.missing).toBe(total(lines) - total(sums))
        return
      }
      expect(total(sums)).toBeGreaterThanOrEqual(total(lines))
      if (plan.kind === 'split') return
      expect(plan.from).toHaveLength(lines.length)
      for (const { name, left } of purses) {
        const taken = lines.filter((_cost, index) => plan.from[index] === name)
        expect(total(taken)).toBeLessThanOrEqual(left)
      }
    }),
  )
})

it('the result names a line that no single balance can pay', () => {
  const purses = [
    { name: 'a', left: amount(6n) },
    { name: 'b', left: amount(6n) },
  ]
  expect(planList(costs(5n, 7n), purses)).toEqual({ kind: 'split', line: 3 })
  expect(planList(costs(5n, 6n), purses)).toEqual({ kind: 'planned', from: ['a', 'b'] })
})

it('a line that only one balance may pay is planned before the other lines', () => {
  const purses = ['a', 'b'].map((name) => ({ name, left: amount(6n) }))
  const pinned = { line: 3, cost: 4n, only: 'a' }
  const [first, last] = [costs(5n), [{ line: 4, cost: 2n }]]
  const lines = [...first, pinned, ...last]
  expect(planList(lines, purses)).toEqual({ kind: 'planned', from: ['b', 'a', 'a'] })
  const [small, large] = [
    { name: 'a', left: amount(3n) },
    { name: 'b', left: amount(9n) },
  ]
  expect(planList([pinned], [small, large])).toEqual({ kind: 'split', line: 3, only: 'a' })
})

it('the payout plus the greatest fee delivers exactly the payout, and one base unit less delivers less', () => {
  const u64 = fc.bigInt({ min: 1n, max: 2n ** 60n })
  fc.assert(
    fc.property(u64, fc.integer({ min: 0, max: 500 }), u64, (payout, serviceFeeBps, network) => {
      const tariff = {
        serviceFeeBps,
        networkFee: { accountExists: '0', accountCreated: `${network}` },
      }
      const arrives = (gross: bigint) =>
        gross - (gross * BigInt(serviceFeeBps) + 9_999n) / 10_000n - network
      const gross = payout + greatestFee(amount(payout), tariff)
      expect(arrives(gross)).toBe(payout)
      expect(arrives(gross - 1n)).toBeLessThan(payout)
    }),
  )
})
