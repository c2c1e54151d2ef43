import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { drawPlan } from './draw-plan.ts'
import { DEFAULT_MIX, type Mix } from './mix.ts'
import type { PlannedPayment, PlannedTopUp } from './plan.ts'
import { seriesAtLeast } from './round-figures.ts'

const ways = { transfer: 0, patient: 0, balance: 0, fresh: 50, waiting: 50, crowd: 0 }
const draw = (topUps: Mix['topUps']) =>
  drawPlan({ ...DEFAULT_MIX, ways, topUps }, 300, new SeededRandom('top-ups')).steps

/** The payments for which a balance was topped up, and their top-ups. */
function madeFor(steps: ReturnType<typeof draw>): [PlannedPayment, PlannedTopUp][] {
  const topUps = new Map(
    steps.flatMap((step) => (step.kind === 'topUp' ? [[step.balance, step] as const] : [])),
  )
  return steps.flatMap((step): [PlannedPayment, PlannedTopUp][] =>
    step.kind === 'payment' ? [[step, topUps.get(step.balance)!]] : [],
  )
}

it('tops up the smallest suggested amount that covers the payment, if the mix has fitted top-ups', () => {
  const pairs = madeFor(draw('fitted'))
  expect(pairs.length).toBeGreaterThan(200)
  for (const [{ payout }, { amount }] of pairs) {
    const needed = payout + payout / 50n + 1_000_000n
    expect(amount).toBe(seriesAtLeast(needed))
    expect(amount).toBeGreaterThanOrEqual(needed)
    // The largest step of the series is from 1 to 1.5.
    expect(amount * 2n).toBeLessThanOrEqual(needed * 3n)
  }
})

it('tops up one of a few usual amounts in the default mix, whatever is paid', () => {
  const amounts = madeFor(draw(DEFAULT_MIX.topUps)).map(([, { amount, token }]) =>
    [amount, token].join(' '),
  )
  expect(amounts.length).toBeGreaterThan(200)
  expect(new Set(amounts).size).toBe(8)
})

it('rounds an amount up to the next suggested amount', () => {
  const cases = [
    [1n, 1n],
    [100n, 100n],
    [101n, 150n],
    [160n, 200n],
    [3_001n, 4_000n],
    [76n, 100n],
    [751n, 1_000n],
  ] as const
  for (const [needed, figure] of cases) expect(seriesAtLeast(needed)).toBe(figure)
})

it('lets several wallets pay a shared payee', () => {
  const payersIn = (sharedPayees: number): ReadonlySet<number>[] => {
    const mix = { ...DEFAULT_MIX, sharedPayees }
    const { steps } = drawPlan(mix, 600, new SeededRandom('shared payees'))
    const walletOf = new Map(
      steps.flatMap((step) =>
        step.kind === 'topUp' ? [[step.balance, step.wallet] as const] : [],
      ),
    )
    const payers = new Map<number, Set<number>>()
    for (const step of steps) {
      if (step.kind === 'topUp') continue
      const wallet = step.kind === 'transfer' ? step.wallet : walletOf.get(step.balance)!
      payers.set(step.payee, (payers.get(step.payee) ?? new Set()).add(wallet))
    }
    return [...payers.values()]
  }
  const shared = (sharedPayees: number) => payersIn(sharedPayees).filter(({ size }) => size > 1)
  expect(shared(DEFAULT_MIX.sharedPayees)).toEqual([])
  expect(shared(30).length).toBeGreaterThan(20)
})
