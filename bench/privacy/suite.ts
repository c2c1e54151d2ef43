import { drawPlan } from '../../observe/load/draw-plan.ts'
import { DEFAULT_MIX } from '../../observe/load/mix.ts'
import { driveLoad } from '../../observe/local/drive-load.ts'
import { openLocalRun } from '../../observe/local/local-run.ts'
import { observeChain } from '../../observe/observe-chain.ts'
import { reportOf } from '../../observe/report/render-report.ts'
import { runSelfTest } from '../../observe/self-test/run-self-test.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { lineOf, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'
import { posteriorsOf, posteriorsOfPayments, saidBeforeSigning, statementsOf } from './compare.ts'
import { OTHER_RATES, scoreLoad, TEN_AN_HOUR, type WrittenLoad } from './loads.ts'

/** The history at ten payments an hour has six days. Only the payments of its last day are compared with the goals. */
const SCORED_SECONDS = 86_400
/** Number of payments that the real service makes on the local chain. */
const DRIVEN = 60
const QUICK = 12
const SPEED = 60
const SEED = 'bench/privacy'

const SERVICE = 'the service'
const SELF_TEST = 'privacy: planted leaks that are found'

async function observeTenAnHour(quick: boolean): Promise<Measured[]> {
  const { name } = TEN_AN_HOUR
  const { scored, untilSeconds } = await scoreLoad(sized(TEN_AN_HOUR, quick), `${SEED}/script`)
  const from = quick ? 0 : untilSeconds - SCORED_SECONDS
  const lastDay = scored.filter(({ chances }) => chances.settlement.seconds >= from)
  return [
    ...posteriorsOfPayments(name, lastDay),
    ...saidBeforeSigning(name, scored),
    ...statementsOf(name, scored),
  ]
}

const sized = (load: WrittenLoad, quick: boolean): WrittenLoad =>
  quick ? { ...load, payments: QUICK } : load

async function observeService({ quick, progress }: SuiteOptions): Promise<Measured[]> {
  const random = new SeededRandom(`${SEED}/service`)
  const plan = drawPlan(DEFAULT_MIX, quick ? QUICK : DRIVEN, random.stream('plan'))
  const run = await openLocalRun()
  try {
    const driven = await driveLoad(run, plan, { speed: SPEED, onEnded: () => undefined })
    for (const failure of driven.failures) progress(`  failed: ${failure}`)
    const { scored } = reportOf(await observeChain(run, random), driven)
    if (scored === undefined)
      throw new Error('the load has no list of true payments, so nothing can be measured')
    return posteriorsOf(SERVICE, scored.kinds, false)
  } finally {
    await run.close()
  }
}

async function findPlanted({ progress }: SuiteOptions): Promise<Measured> {
  const results = await runSelfTest(SEED, ({ planted, isRight }) =>
    progress(`  ${isRight ? 'right' : 'WRONG'}: planted ${planted}`),
  )
  const right = results.filter(({ isRight }) => isRight).length
  return {
    ...{ name: SELF_TEST, unit: 'services', values: [right], baselines: [results.length] },
    bar: '>= 1',
  }
}

/** Compares what the chain reveals with the goals and with the quotes' statements: see docs/privacy.md. */
export const privacySuite: Suite = {
  measures: 'the chance that an observer of the chain gives to the wallet that really paid',
  run: async (options): Promise<Line[]> => {
    const { quick, wants, progress } = options
    const measured: Measured[] = []
    if (wants(`privacy: ${TEN_AN_HOUR.name}: `)) {
      progress(`  ${TEN_AN_HOUR.name}, as a simulated history`)
      measured.push(...(await observeTenAnHour(quick)))
    }
    for (const load of OTHER_RATES) {
      if (!wants(`privacy: ${load.name}: `)) continue
      progress(`  ${load.name}, as a simulated history`)
      const { scored } = await scoreLoad(sized(load, quick), `${SEED}/${load.name}`)
      measured.push(...statementsOf(load.name, scored))
    }
    if (wants(`privacy: ${SERVICE}`)) {
      progress(`  ${quick ? QUICK : DRIVEN} payments through the service`)
      measured.push(...(await observeService(options)))
    }
    if (wants(SELF_TEST) && !quick) measured.push(await findPlanted(options))
    return measured.map((one) => lineOf(one, !quick))
  },
}
