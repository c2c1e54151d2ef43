import { explainFailure, renderLine } from './cli/explain-failure.ts'
import { readNights, writeNights } from './cli/nightly.ts'
import { parseOptions, type Options } from './cli/options.ts'
import { runJob, runJobs } from './cli/run-job.ts'
import { runMutants } from './cli/run-mutants.ts'
import { Totals } from './cli/totals.ts'

/** Maximum number of failures that the simulator explains. Each explanation needs a few dozen runs. */
const EXPLAINED_MAX = 3

/** Runs one seed. Prints its result and, with `--trace`, its events. */
async function runOne({ seed = 0, trace, without, mutant }: Options): Promise<0 | 1> {
  const totals = new Totals()
  await runJob({ seeds: [seed], without, isTraced: trace, mutant }, (report) => {
    totals.take(report)
    if (report.kind !== 'ran') return
    for (const line of report.result.lines) console.log(renderLine(line))
    const { digest, orders, statuses, violation } = report.result
    console.log(JSON.stringify({ seed, digest, orders, statuses, violation }))
  })
  return totals.failures.length === 0 ? 0 : 1
}

async function runMany(options: Options): Promise<0 | 1> {
  const { from, without, mutant, json } = options
  const seeds = Array.from({ length: options.seeds }, (_, index) => from + index)
  const started = performance.now()
  const totals = new Totals()
  const isShown = !json && process.stdout.isTTY
  await runJobs({ seeds, without, isTraced: false, mutant }, options.processes, (report) => {
    totals.take(report)
    const { seeds: done, failures } = totals
    if (isShown)
      process.stdout.write(`\r${done} of ${seeds.length} seeds, ${failures.length} failed`)
  })
  if (isShown) process.stdout.write('\n')
  const summary = totals.summary((performance.now() - started) / 1_000)
  console.log(JSON.stringify(summary, undefined, json ? undefined : 2))
  for (const failure of summary.failures.slice(0, EXPLAINED_MAX)) {
    for (const line of await explainFailure(failure, mutant)) process.stderr.write(`${line}\n`)
  }
  return summary.failed === 0 && summary.seeds > 0 ? 0 : 1
}

/** Seeds between two writes of the file from which the next night continues. */
const NIGHTLY_SEEDS = 2_000

/** Runs seeds that no earlier night has run. After each part, records the seed with which the next night begins. */
async function runNightly(options: Options): Promise<0 | 1> {
  const { json, without } = options
  const before = await readNights(options.from)
  const started = performance.now()
  const totals = new Totals()
  for (let done = 0; done < options.seeds; done += NIGHTLY_SEEDS) {
    const count = Math.min(NIGHTLY_SEEDS, options.seeds - done)
    const first = before.next + done
    const seeds = Array.from({ length: count }, (_, index) => first + index)
    const job = { seeds, without, isTraced: false, mutant: undefined }
    await runJobs(job, options.processes, (report) => totals.take(report))
    const failures = [...before.failures, ...totals.failures]
    await writeNights({ next: first + count, seeds: before.seeds + totals.seeds, failures })
  }
  const summary = totals.summary((performance.now() - started) / 1_000)
  const nights = { from: before.next, seedsOfAllNights: before.seeds + totals.seeds }
  console.log(JSON.stringify({ ...nights, ...summary }, undefined, json ? undefined : 2))
  for (const failure of summary.failures.slice(0, EXPLAINED_MAX)) {
    for (const line of await explainFailure(failure, undefined)) process.stderr.write(`${line}\n`)
  }
  return summary.failed === 0 && summary.seeds > 0 ? 0 : 1
}

function run(options: Options): Promise<0 | 1> {
  if (options.mutants) return runMutants(options)
  if (options.nightly) return runNightly(options)
  return options.seed === undefined ? runMany(options) : runOne(options)
}

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(
    `The simulation failed: ${error instanceof Error ? error.message : String(error)}\n`,
  )
  process.exitCode = 1
}
