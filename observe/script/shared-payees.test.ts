import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { calibrationOf } from '../measure/calibration.ts'
import { scorePayments } from '../measure/summaries.ts'
import { observeScript } from '../observe-script.ts'

/** A single run can get stuck in a wrong assignment, so the chances from fewer runs would be too high. */
const EFFORT = { runs: 4, warmUp: 40, sweeps: 60 }
/** With fewer pairs, the share of correct pairs would depend mostly on chance. */
const PAIRS_MIN = 15

it.each([
  { name: 'no shared payees', sharedPayees: 0 },
  { name: 'shared payees', sharedPayees: 30 },
])(
  'gives correct chances for payments to payees that are paid several times: $name',
  async ({ sharedPayees }) => {
    const { observation, ledger } = await observeScript(
      { ...DEFAULT_MIX, sharedPayees },
      400,
      new SeededRandom('shared payees'),
      EFFORT,
    )
    const scored = scorePayments(observation.sightings, observation.wallets, ledger)
    const times = new Map<string, number>()
    for (const { payee } of observation.sightings.settlements) {
      times.set(payee, (times.get(payee) ?? 0) + 1)
    }
    const again = scored.filter(({ chances }) => (times.get(chances.settlement.payee) ?? 0) > 1)
    expect(again.length).toBeGreaterThan(50)
    const bins = calibrationOf(again).filter(({ pairs }) => pairs >= PAIRS_MIN)
    expect(bins.length).toBeGreaterThan(3)
    for (const { stated, measured, pairs } of bins) {
      const error = Math.sqrt((stated * (1 - stated)) / pairs)
      expect(Math.abs(stated - measured)).toBeLessThan(0.05 + 3 * error)
    }
  },
)
