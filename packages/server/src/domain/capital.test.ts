import { amount, NULLIFIER_SECONDS, sumOf, STEP_MAX, type Amount } from '@sotto/protocol'
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import {
  capitalOf,
  nullifiersLent,
  openOrders,
  reserveOf,
  setUpOf,
  type Capital,
  type CapitalPlan,
} from './capital.ts'
import { affordable, ordersFor, settlementPriority, settlementsNeeded } from './settlement-cost.ts'

const USUAL: CapitalPlan = {
  transfersPerDay: 1_000n,
  lamportsPerByte: 6_960n,
  relayers: 2n,
  assets: 2n,
  peak: 4n,
  newAccountsPercent: 10n,
  collectDays: 7n,
  swapsPercent: 0n,
  swapWorth: amount(1_000_000_000n),
  priceCeiling: STEP_MAX,
}
const planned = fc.record({
  transfersPerDay: fc.bigInt(1n, 1_000_000n),
  lamportsPerByte: fc.bigInt(1n, 10_000n),
  relayers: fc.bigInt(1n, 20n),
  assets: fc.bigInt(1n, 100n),
  peak: fc.bigInt(1n, 24n),
  newAccountsPercent: fc.bigInt(0n, 100n),
  collectDays: fc.bigInt(1n, 60n),
  swapsPercent: fc.bigInt(0n, 100n),
  swapWorth: fc.bigInt(0n, 1_000_000n).map(amount),
  priceCeiling: fc.integer({ min: 0, max: STEP_MAX }),
})
const PARTS = Object.keys(capitalOf(USUAL)) as (keyof Capital)[]

it.each([
  'transfersPerDay',
  'lamportsPerByte',
  'peak',
  'collectDays',
  'newAccountsPercent',
] as const)('no part of the capital becomes smaller with a greater %s', (name) => {
  fc.assert(
    fc.property(planned, (plan) => {
      const [less, more] = [capitalOf(plan), capitalOf({ ...plan, [name]: plan[name] + 1n })]
      for (const part of PARTS) expect(more[part] >= less[part]).toBe(true)
    }),
  )
})

it('the reserve covers all orders of the busiest hour and one more', () => {
  fc.assert(
    fc.property(planned, (plan) => {
      const each = reserveOf(plan)
      const free = (balance: Amount) => {
        const balances = Array.from({ length: Number(plan.relayers) }, () => balance)
        const { lamportsPerByte, priceCeiling } = plan
        const prices = { lamportsPerByte, priority: settlementPriority(priceCeiling) }
        return ordersFor(affordable(balances, prices)) - openOrders(plan)
      }
      expect(free(each) > 0n).toBe(true)
      // With one lamport less, each relayer can pay for one settlement less.
      if (plan.relayers > 1n) expect(free(amount(each - 1n)) <= free(each) - 1n).toBe(true)
    }),
  )
})

it('orders need exactly the computed number of settlements', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 10n ** 12n), (orders) => {
      expect(ordersFor(settlementsNeeded(orders))).toBe(orders)
      expect(ordersFor(settlementsNeeded(orders) - 1n) < orders || orders === 0n).toBe(true)
    }),
  )
})

it('counts the Nullifiers that exist at once if each is closed as early as possible', () => {
  fc.assert(
    fc.property(fc.bigInt(1n, 40n), fc.bigInt(0n, 86_399n), (transfersPerDay, phase) => {
      const times = Array.from(
        { length: Number(transfersPerDay * 130n) },
        (_, index) => phase + (BigInt(index) * 86_400n) / transfersPerDay,
      )
      const now = 125n * 86_400n
      const open = times.filter((at) => at <= now && at + NULLIFIER_SECONDS > now).length
      const lent = Number(nullifiersLent(transfersPerDay))
      expect(open <= lent && open >= lent - 1).toBe(true)
    }),
    { numRuns: 20 },
  )
})

describe('the computed capital', () => {
  const sol = (lamports: bigint) => Number(lamports) / 1e9

  it('with a thousand transfers a day, 71.5 SOL are lent, as decision 47 computes', () => {
    expect(sol(capitalOf(USUAL).lent)).toBeCloseTo(71.52, 2)
  })

  it('the parts of the set-up add up to the cost of the set-up', () => {
    expect(sumOf(Object.values(setUpOf(USUAL)))).toBe(capitalOf(USUAL).setUp)
  })

  it('settling costs the relayers exactly what the benchmark measured', () => {
    const report = new URL('../../../../bench/report.json', import.meta.url)
    const { results } = JSON.parse(readFileSync(report, 'utf8')) as {
      results: { name: string; value: number }[]
    }
    const measured = results.find(({ name }) => name === 'cost: SOL send, alone')?.value ?? NaN
    // The measured cost includes both signatures of the deposit, which the sender pays.
    const settling = BigInt(measured) - 10_000n
    const quiet = { ...USUAL, priceCeiling: 0, newAccountsPercent: 0n, collectDays: 1n }
    expect(capitalOf(quiet).spent).toBe(settling * quiet.transfersPerDay)
  })
})
