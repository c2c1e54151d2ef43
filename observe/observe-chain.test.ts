import { expect, it } from 'vitest'
import { SeededRandom } from '../sim/time/seeded-random.ts'
import { DEFAULT_MIX } from './load/mix.ts'
import { observeChain } from './observe-chain.ts'
import { renderReport, reportOf } from './report/render-report.ts'
import { MEANT } from './script/behaviour.ts'
import { serveScript } from './script/serve-script.ts'
import { writeScript } from './self-test/run-self-test.ts'

/** This is less work than the command's default, so that the test takes less time. */
const EFFORT = { runs: 2, warmUp: 30, sweeps: 60 }
const PAIRS_MIN = 40

it('gives correct chances for a whole load', async () => {
  const random = new SeededRandom('calibration')
  const script = await writeScript({ ...DEFAULT_MIX, perHour: 40 }, 250, MEANT, random)
  const served = await serveScript(script)
  try {
    const chain = { rpcUrl: served.rpcUrl, program: script.program }
    const observation = await observeChain(chain, random, EFFORT)
    expect(observation.sightings.deposits.length).toBeGreaterThan(150)
    const report = reportOf(observation, script.ledger)
    const { calibration, all } = report.scored!
    expect(all.payments).toBe(script.ledger.links.length)
    // Checks the calibration. Among links with the same chance, the share of true links must equal that chance. Links
    // that the observer calls certain must all be true.
    for (const { pairs, stated, measured } of calibration) {
      if (pairs < PAIRS_MIN) continue
      const deviation = Math.sqrt((stated * (1 - stated)) / pairs)
      expect(Math.abs(stated - measured)).toBeLessThan(0.05 + 4 * deviation)
    }
    expect(all.posterior).toBeGreaterThan(0.5)
    expect(renderReport(report)).toContain('out of a balance, round')
  } finally {
    await served.stop()
  }
})
