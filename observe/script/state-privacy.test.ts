import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { compareStated } from '../measure/calibration.ts'
import { scorePayments } from '../measure/summaries.ts'
import { CERTAIN } from '../measure/wallet-chances.ts'
import { observeScript } from '../observe-script.ts'

/**
 * A mix with many equal amounts. With fewer equal amounts, every quote would state an anonymity set of one wallet. Some
 * payees are paid again later, which a quote can't know: the observer links some of these payments (docs/privacy.md).
 * So single quotes are compared only for payees that are paid once.
 */
const MIX = {
  ...DEFAULT_MIX,
  ...{ perHour: 1_000, amounts: { round: 100, odd: 0, swap: 0 }, exactOut: 100 },
  ways: { transfer: 80, patient: 10, balance: 5, fresh: 5, waiting: 0, crowd: 0 },
}
/**
 * This is less computation than the command's default, which the long test uses. With fewer runs, the observer would be
 * too certain, because a single run can get stuck in a wrong assignment.
 */
const EFFORT = { runs: 4, warmUp: 20, sweeps: 40 }

it('99 of 100 quotes state at most the measured privacy', async () => {
  const random = new SeededRandom('stated')
  const { observation, ledger } = await observeScript(MIX, 400, random, EFFORT)
  const scored = scorePayments(observation.sightings, observation.wallets, ledger)
  const compared = compareStated(scored, CERTAIN)
  expect(compared!.stating).toBeGreaterThan(5)
  expect(compared!.held).toBeGreaterThanOrEqual(0.99)
  expect(compared!.linked).toBeLessThanOrEqual(0.01)
  expect(compared!.chance!.stated).toBeGreaterThanOrEqual(compared!.chance!.measured)
  // These figures are for the quotes that stated more than one wallet. All other quotes state a chance of 1, which
  // would raise the mean.
  const { measured, bySet, byChance } = compared!.promised!
  expect(measured).toBeLessThanOrEqual(bySet)
  expect(measured).toBeLessThanOrEqual(byChance!)
  const { once, heldMostOnce } = compared!.promised!
  // With so few quotes, one broken promise is enough to miss the share of 0.99.
  expect((1 - heldMostOnce) * once).toBeLessThan(1.5)
})
