import { expect, it } from 'vitest'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { DEFAULT_MIX } from '../load/mix.ts'
import { compareStated } from '../measure/calibration.ts'
import { scorePayments } from '../measure/summaries.ts'
import { CERTAIN } from '../measure/wallet-chances.ts'
import { observeChain } from '../observe-chain.ts'
import { writeScript } from '../self-test/run-self-test.ts'
import { MEANT } from './behaviour.ts'
import { serveScript } from './serve-script.ts'

/**
 * There are many equal amounts, so that some quotes state an anonymity set of more than one wallet. Each payee is paid
 * only once, because the statement doesn't take earlier payments to a payee into account (docs/privacy.md).
 */
const MIX = {
  ...DEFAULT_MIX,
  ...{ perHour: 1_000, amounts: { round: 100, odd: 0, swap: 0 }, exactOut: 100 },
  ways: { transfer: 80, patient: 10, balance: 5, fresh: 5, waiting: 0, crowd: 0 },
  knownPayees: 0,
}
const EFFORT = { runs: 1, warmUp: 20, sweeps: 40 }

it('no quote states more privacy than the observer measures', async () => {
  const random = new SeededRandom('stated')
  const script = await writeScript(MIX, 800, MEANT, random)
  const { rpcUrl, stop } = await serveScript(script)
  try {
    const chain = { rpcUrl, program: script.program }
    const { sightings, wallets } = await observeChain(chain, random, EFFORT)
    const compared = compareStated(scorePayments(sightings, wallets, script.ledger), CERTAIN)
    expect(compared!.stating).toBeGreaterThan(5)
    expect(compared!.held).toBeGreaterThanOrEqual(0.99)
    expect(compared!.linked).toBeLessThanOrEqual(0.01)
    expect(compared!.chance!.stated).toBeGreaterThanOrEqual(compared!.chance!.measured)
  } finally {
    await stop()
  }
})
