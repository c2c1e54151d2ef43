import { DEFAULT_MIX, type Mix } from '../../observe/load/mix.ts'
import { scorePayments, type ScoredPayment } from '../../observe/measure/summaries.ts'
import { observeChain } from '../../observe/observe-chain.ts'
import { MEANT } from '../../observe/script/behaviour.ts'
import { serveScript } from '../../observe/script/serve-script.ts'
import { writeScript } from '../../observe/self-test/run-self-test.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

/** A history of transactions, generated without a chain. The observer reads the transactions through JSON-RPC. */
export interface WrittenLoad {
  readonly name: string
  readonly mix: Mix
  readonly payments: number
}

/** A history of six days, at the rate for which the goals are set. */
export const TEN_AN_HOUR: WrittenLoad = {
  name: '10 an hour',
  mix: { ...DEFAULT_MIX, perHour: 10 },
  payments: 1_440,
}

/** Histories at other rates, as in docs/privacy.md. */
export const OTHER_RATES: readonly WrittenLoad[] = [
  { name: '1 an hour', mix: { ...DEFAULT_MIX, perHour: 1 }, payments: 200 },
  { name: '100 an hour', mix: { ...DEFAULT_MIX, perHour: 100 }, payments: 800 },
  { name: '1,000 an hour', mix: { ...DEFAULT_MIX, perHour: 1_000 }, payments: 1_200 },
  {
    name: '1,000 an hour, equal amounts',
    mix: {
      ...DEFAULT_MIX,
      ...{ perHour: 1_000, amounts: { round: 100, odd: 0, swap: 0 }, exactOut: 100 },
    },
    payments: 1_000,
  },
]

/** The observer's conclusions about a simulated history, compared with the true links. */
export interface ScoredLoad {
  readonly scored: readonly ScoredPayment[]
  readonly untilSeconds: number
}

/** Writes the history, lets the observer read it, and compares the observer's conclusions with the true links. */
export async function scoreLoad({ mix, payments }: WrittenLoad, seed: string): Promise<ScoredLoad> {
  const random = new SeededRandom(seed)
  const script = await writeScript(mix, payments, MEANT, random)
  const served = await serveScript(script)
  try {
    const chain = { rpcUrl: served.rpcUrl, program: script.program }
    const { sightings, wallets } = await observeChain(chain, random)
    return {
      scored: scorePayments(sightings, wallets, script.ledger),
      untilSeconds: script.untilSeconds,
    }
  } finally {
    await served.stop()
  }
}
