import { readFile } from 'node:fs/promises'
import { SeededRandom } from '../sim/time/seeded-random.ts'
import { drawPlan } from './load/draw-plan.ts'
import { QUICK_EFFORT, USUAL_EFFORT } from './infer/infer-links.ts'
import type { Ledger } from './load/ledger.ts'
import { DEFAULT_MIX, readMix, type Mix } from './load/mix.ts'
import { driveLoad } from './local/drive-load.ts'
import { openLocalRun } from './local/local-run.ts'
import { observeChain, type Observation } from './observe-chain.ts'
import { observeScript } from './observe-script.ts'
import { parseOptions, type Options } from './options.ts'
import { renderReport, reportOf } from './report/render-report.ts'
import { runSelfTest } from './self-test/run-self-test.ts'

const progress = (text: string): void => void process.stderr.write(`${text}\n`)

const effortOf = ({ quick }: Options) => (quick ? QUICK_EFFORT : USUAL_EFFORT)

interface Observed {
  readonly observation: Observation
  readonly ledger?: Ledger | undefined
}

/** Runs the load against the real service on the local chain, and observes that chain. */
async function observeLocal(mix: Mix, options: Options, random: SeededRandom): Promise<Observed> {
  const plan = drawPlan(mix, options.payments, random.stream('plan'))
  progress(`${plan.steps.length} steps against the service on a local chain`)
  const run = await openLocalRun()
  try {
    const driven = await driveLoad(run, plan, {
      speed: options.speed,
      onEnded: (ended) => {
        if (ended % 10 === 0) progress(`  ${ended} steps have ended`)
      },
    })
    for (const failure of driven.failures) progress(`  failed: ${failure}`)
    if (driven.links.length === 0) throw new Error('no payment of the load was made')
    const observation = await observeChain(run, random.stream('observer'), effortOf(options))
    return { observation, ledger: driven }
  } finally {
    await run.close()
  }
}

async function observe(options: Options): Promise<Observed> {
  const random = new SeededRandom(`observe/${options.seed}`)
  if (options.rpc !== undefined && options.program !== undefined) {
    const chain = { rpcUrl: options.rpc, program: options.program }
    const ledger =
      options.ledger === undefined
        ? undefined
        : (JSON.parse(await readFile(options.ledger, 'utf8')) as Ledger)
    const effort = effortOf(options)
    return { observation: await observeChain(chain, random.stream('observer'), effort), ledger }
  }
  const mix = options.mix === undefined ? DEFAULT_MIX : await readMix(options.mix)
  return options.script
    ? observeScript(mix, options.payments, random, effortOf(options), options.insider)
    : observeLocal(mix, options, random)
}

async function selfTest({ seed, json }: Options): Promise<0 | 1> {
  const results = await runSelfTest(`self-test/${seed}`, ({ planted, isRight, found, wrong }) => {
    const verdict = isRight ? 'right ' : 'WRONG '
    progress(`${verdict} planted: ${planted}; found: ${found.join(', ') || 'nothing'}`)
    for (const finding of wrong) progress(`       not planted: ${finding}`)
  })
  if (json) process.stdout.write(`${JSON.stringify(results, null, 2)}\n`)
  const right = results.filter(({ isRight }) => isRight).length
  progress(`${right} of ${results.length} right; the seed is ${seed}`)
  return right === results.length ? 0 : 1
}

async function run(options: Options): Promise<0 | 1> {
  if (options.selfTest) return selfTest(options)
  const { observation, ledger } = await observe(options)
  const report = reportOf(observation, ledger)
  const seeded = { seed: options.seed, ...report }
  process.stdout.write(
    options.json
      ? `${JSON.stringify(seeded, null, 2)}\n`
      : `${renderReport(report)}\n\nThe seed is ${options.seed}.\n`,
  )
  return report.findings.length === 0 ? 0 : 1
}

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`\nThe observation failed: ${message}\n`)
  process.exitCode = 2
}
