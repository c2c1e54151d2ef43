import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { drawPlan } from './draw-plan.ts'
import { DEFAULT_MIX } from './mix.ts'

const payrolls = { owners: 2, payees: 6, days: 1, balances: 2 }
const draw = (mix: typeof DEFAULT_MIX) => drawPlan(mix, 720, new SeededRandom('payrolls'))

it('repeats the same payments of each owner every day', () => {
  const { steps } = draw({ ...DEFAULT_MIX, payrolls })
  const paid = steps.flatMap((step) =>
    step.kind === 'payment' && step.way === 'payroll' ? [step] : [],
  )
  const topUps = new Map(
    steps.flatMap((step) => (step.kind === 'topUp' ? [[step.balance, step] as const] : [])),
  )
  const payees = new Set(paid.map(({ payee }) => payee))
  expect(payees.size).toBe(12)
  for (const payee of payees) {
    const ofOne = paid.filter((one) => one.payee === payee)
    expect(ofOne.length).toBeGreaterThanOrEqual(3)
    expect(new Set(ofOne.map(({ payout }) => payout)).size).toBe(1)
    expect(new Set(ofOne.map(({ balance }) => topUps.get(balance)!.wallet)).size).toBe(1)
  }
  for (const [balance, { amount, atSeconds }] of topUps) {
    const ofOne = paid.filter((one) => one.balance === balance)
    if (ofOne.length === 0) continue
    expect(ofOne).toHaveLength(3)
    expect(ofOne.reduce((sum, { payout }) => sum + payout, 0n)).toBeLessThan(amount)
    expect(ofOne[0]!.atSeconds).toBeGreaterThanOrEqual(atSeconds + 4_200)
    expect(ofOne[2]!.atSeconds - ofOne[0]!.atSeconds).toBeLessThanOrEqual(24)
  }
})

it('draws no payrolls and no crowds for the default mix', () => {
  const { steps } = draw(DEFAULT_MIX)
  const ways = new Set(steps.flatMap((step) => (step.kind === 'topUp' ? [] : [step.way])))
  expect(ways).toEqual(new Set(['transfer', 'patient', 'balance', 'fresh']))
})
