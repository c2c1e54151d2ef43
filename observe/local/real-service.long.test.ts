import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { drawPlan } from '../load/draw-plan.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { observeChain } from '../observe-chain.ts'
import { reportOf } from '../report/render-report.ts'
import { driveLoad } from './drive-load.ts'
import { openLocalRun } from './local-run.ts'

const PAYMENTS = 10
const SPEED = 600
const EFFORT = { runs: 2, warmUp: 30, sweeps: 100 }
/** The default mix with more payments out of fresh balances, so that even a short load contains such payments. */
const MIX = {
  ...DEFAULT_MIX,
  ways: { transfer: 40, patient: 10, balance: 30, fresh: 20, waiting: 0, crowd: 0 },
  balances: { ...DEFAULT_MIX.balances, atFirst: 2 },
}

it('observes and scores a load of the real service', async () => {
  const random = new SeededRandom('a short load')
  const plan = drawPlan(MIX, PAYMENTS, random.stream('plan'))
  const run = await openLocalRun()
  try {
    const beganMs = run.clock.nowMs()
    const driven = await driveLoad(run, plan, { speed: SPEED, onEnded: () => undefined })
    expect(driven.failures).toEqual([])
    const planned = plan.steps.filter(({ kind }) => kind !== 'topUp')
    expect(driven.links).toHaveLength(planned.length)
    const lastSeconds = plan.steps.at(-1)!.atSeconds
    expect(run.clock.nowMs() - beganMs).toBeGreaterThanOrEqual(lastSeconds * 1_000)

    const observation = await observeChain(run, random.stream('observer'), EFFORT)
    const { deposits, settlements, leafSeconds } = observation.sightings
    const topUps = plan.steps.filter(({ kind }) => kind !== 'payment')
    expect(deposits).toHaveLength(topUps.length)
    expect(settlements).toHaveLength(planned.length)
    // Shows that the chain's time followed the fast clock.
    expect(leafSeconds.at(-1)! - leafSeconds[0]!).toBeGreaterThan(lastSeconds / 2)
    const { scored, findings } = reportOf(observation, driven)
    expect(scored!.all.payments).toBe(planned.length)
    expect(scored!.stated!.quotes).toBeGreaterThan(0)
    expect(findings).toEqual([])
    const odd = scored!.kinds.find(({ name }) => name === 'transfer, default delay, odd')
    expect(odd!.posterior).toBeGreaterThan(0.99)
  } finally {
    await run.close()
  }
})
