import { drawPlan } from '../../observe/load/draw-plan.ts'
import { DEFAULT_MIX } from '../../observe/load/mix.ts'
import { driveLoad } from '../../observe/local/drive-load.ts'
import { openLocalRun } from '../../observe/local/local-run.ts'
import type { ScoredSummary } from '../../observe/measure/summaries.ts'
import { observeChain } from '../../observe/observe-chain.ts'
import { reportOf, type Report } from '../../observe/report/render-report.ts'
import { MEANT } from '../../observe/script/behaviour.ts'
import { serveScript } from '../../observe/script/serve-script.ts'
import { runSelfTest, writeScript } from '../../observe/self-test/run-self-test.ts'
import { SeededRandom } from '../../sim/time/seeded-random.ts'
import { lineOf, type Bar, type Line, type Measured } from '../report/line.ts'
import type { Suite, SuiteOptions } from '../suite.ts'

/** The chosen limit for ten payments an hour: the greatest posterior of the true wallet. */
const POSTERIOR_MAX: Readonly<Record<string, number>> = {
  'out of a balance, round': 0.1,
  'out of a balance, odd': 0.1,
  'top-up and pay, round': 0.5,
  'top-up and pay, odd': 0.5,
  'transfer, default delay, round': 0.6,
  'transfer, up to an hour, round': 0.35,
}
/** Without a limit, a posterior is compared with that of a payment which hides nothing. */
const NOTHING_HIDDEN = 1

const PER_HOUR = 10
/** A history of six days. Only the last day's payments are scored. */
const SCRIPTED = 1_440
const SCORED_SECONDS = 86_400
/** Payments that the real service makes on the local chain. */
const DRIVEN = 60
const QUICK = 12
const SPEED = 60
const SEED = 'bench/privacy'

const MIX = { ...DEFAULT_MIX, perHour: PER_HOUR }

async function observeScript(quick: boolean): Promise<Report> {
  const random = new SeededRandom(`${SEED}/script`)
  const script = await writeScript(MIX, quick ? QUICK : SCRIPTED, MEANT, random)
  const served = await serveScript(script)
  try {
    const chain = { rpcUrl: served.rpcUrl, program: script.program }
    const observation = await observeChain(chain, random)
    const from = quick ? 0 : script.untilSeconds - SCORED_SECONDS
    return reportOf(observation, script.ledger, from)
  } finally {
    await served.stop()
  }
}

async function observeService({ quick, progress }: SuiteOptions): Promise<Report> {
  const random = new SeededRandom(`${SEED}/service`)
  const plan = drawPlan(MIX, quick ? QUICK : DRIVEN, random.stream('plan'))
  const run = await openLocalRun()
  try {
    const driven = await driveLoad(run, plan, { speed: SPEED, onEnded: () => undefined })
    for (const failure of driven.failures) progress(`  failed: ${failure}`)
    return reportOf(await observeChain(run, random), driven)
  } finally {
    await run.close()
  }
}

function measuredOf(where: string, { scored }: Report, isJudged: boolean): Measured[] {
  if (scored === undefined) throw new Error('a load without truth measures nothing')
  const line = ({ name, posterior, payments }: ScoredSummary): Measured => {
    const most = POSTERIOR_MAX[name]
    const bar: Bar | null = isJudged && most !== undefined ? '<= 1' : null
    return {
      ...{ name: `privacy: ${where}: ${name}, posterior`, unit: `(of ${payments})`, bar },
      ...{ values: [posterior], baselines: [most ?? NOTHING_HIDDEN] },
    }
  }
  return scored.kinds.map(line)
}

const SCRIPT = 'six days'
const SERVICE = 'the service'
const SELF_TEST = 'privacy: planted leaks that are found'

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

/** Measures what the chain reveals at ten payments an hour: see docs/privacy.md. */
export const privacySuite: Suite = {
  measures: 'the chance that an observer of the chain gives to the wallet that really paid',
  run: async (options): Promise<Line[]> => {
    const { quick, wants, progress } = options
    const measured: Measured[] = []
    if (wants(`privacy: ${SCRIPT}`)) {
      progress(`  ${quick ? QUICK : SCRIPTED} payments as a script`)
      measured.push(...measuredOf(SCRIPT, await observeScript(quick), true))
    }
    if (wants(`privacy: ${SERVICE}`)) {
      progress(`  ${quick ? QUICK : DRIVEN} payments through the service`)
      measured.push(...measuredOf(SERVICE, await observeService(options), false))
    }
    if (wants(SELF_TEST) && !quick) measured.push(await findPlanted(options))
    return measured.map((one) => lineOf(one, !quick))
  },
}
