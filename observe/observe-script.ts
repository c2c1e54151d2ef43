import type { SeededRandom } from '../sim/time/seeded-random.ts'
import type { Effort } from './infer/infer-links.ts'
import type { Ledger } from './load/ledger.ts'
import type { Mix } from './load/mix.ts'
import { observeChain, type Observation } from './observe-chain.ts'
import { MEANT } from './script/behaviour.ts'
import { withoutInsider } from './script/insider.ts'
import { serveScript } from './script/serve-script.ts'
import { writeScript } from './self-test/run-self-test.ts'

/**
 * Writes the history of a load, serves it over JSON-RPC, and observes it. The observer is an insider that knows
 * `insiderPercent` of the orders; 0 for an observer that only reads the chain.
 */
export async function observeScript(
  mix: Mix,
  payments: number,
  random: SeededRandom,
  effort?: Effort,
  insiderPercent = 0,
): Promise<{ readonly observation: Observation; readonly ledger: Ledger }> {
  const script = await writeScript(mix, payments, MEANT, random)
  const served = await serveScript(script)
  try {
    const chain = { rpcUrl: served.rpcUrl, program: script.program }
    const insider = random.stream('insider')
    const observation = await observeChain(chain, random.stream('observer'), effort, (sightings) =>
      withoutInsider(sightings, script.ledger, insiderPercent, insider),
    )
    return { observation, ledger: script.ledger }
  } finally {
    await served.stop()
  }
}
