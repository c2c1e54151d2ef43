import { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Finding, LeakName } from '../leaks/finding.ts'
import { DEFAULT_MIX, type Mix } from '../load/mix.ts'
import { drawPlan } from '../load/draw-plan.ts'
import { observeChain } from '../observe-chain.ts'
import { MEANT, type Behaviour } from '../script/behaviour.ts'
import { drawEvents } from '../script/draw-events.ts'
import { encodeEvents, type Script } from '../script/encode-events.ts'
import { serveScript } from '../script/serve-script.ts'
import { PLANTED_LEAKS, type PlantedLeak } from './planted-leaks.ts'

/** A busy mix with every kind of payment. Many payments are needed for transfers to overtake each other. */
const MIX: Mix = {
  ...DEFAULT_MIX,
  perHour: 120,
  ways: { transfer: 30, patient: 30, balance: 30, fresh: 10, waiting: 0, crowd: 0 },
}
const PAYMENTS = 150
/** An arbitrary time on the grid. */
const BEGIN_SECONDS = 1_700_000_400
/** The tests for leaks use only links that are almost certain, so little sampling is enough. */
const EFFORT = { runs: 1, warmUp: 20, sweeps: 20 }

/** The result for one service, which has one planted leak or none. */
export interface SelfTestResult {
  readonly planted: string
  /** The planted leak; undefined if the service has none. */
  readonly expected: LeakName | undefined
  readonly found: readonly LeakName[]
  readonly seen: readonly string[]
  /** Findings that don't describe the planted leak. The service has no other leak, so they are false. */
  readonly wrong: readonly string[]
  /** True if the observer found exactly the planted leak, or nothing if no leak was planted. */
  readonly isRight: boolean
}

/** Writes the history of a service with this behaviour. */
export async function writeScript(
  mix: Mix,
  payments: number,
  behaviour: Behaviour,
  random: SeededRandom,
): Promise<Script> {
  const plan = drawPlan(mix, payments, random.stream('plan'))
  const events = drawEvents(plan, behaviour, BEGIN_SECONDS, random.stream('events'), mix)
  return encodeEvents(events, behaviour, random.stream('bytes'))
}

/** Observes one service through JSON-RPC. The service has one planted leak or none. */
export async function testOne(
  planted: PlantedLeak | undefined,
  random: SeededRandom,
): Promise<SelfTestResult> {
  const script = await writeScript(MIX, PAYMENTS, planted?.behaviour ?? MEANT, random)
  const served = await serveScript(script)
  try {
    const { rpcUrl } = served
    const { findings } = await observeChain({ rpcUrl, program: script.program }, random, EFFORT)
    return judge(planted, findings)
  } finally {
    await served.stop()
  }
}

/** Compares the findings with the planted leak. An additional finding is as wrong as a missing one. */
export function judge(
  planted: PlantedLeak | undefined,
  findings: readonly Finding[],
): SelfTestResult {
  const isPlanted = ({ leak, seen }: Finding): boolean =>
    planted !== undefined && leak === planted.found && seen.includes(planted.shows)
  const wrong = findings.filter((one) => !isPlanted(one))
  return {
    ...{ planted: planted?.name ?? 'nothing', expected: planted?.found },
    found: [...new Set(findings.map(({ leak }) => leak))],
    seen: findings.map(({ seen }) => seen),
    wrong: wrong.map(({ leak, seen }) => `${leak}: ${seen}`),
    isRight: wrong.length === 0 && findings.some(isPlanted) === (planted !== undefined),
  }
}

/** Tests a service without a leak first. Then tests one service for each planted leak. */
export async function runSelfTest(
  seed: string,
  onResult: (result: SelfTestResult) => void,
): Promise<readonly SelfTestResult[]> {
  const results: SelfTestResult[] = []
  for (const planted of [undefined, ...PLANTED_LEAKS]) {
    const result = await testOne(planted, new SeededRandom(`${seed}/${planted?.name ?? ''}`))
    results.push(result)
    onResult(result)
  }
  return results
}
