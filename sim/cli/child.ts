import { runSeed } from '../run/run-seed.ts'
import { QuickAbortController } from '../time/quick-abort.ts'
import type { Job, Report, SeedReport } from './job.ts'
import { leastRun } from './least-run.ts'

/** Runs the seeds of a job that the parent process sends, one after the other. */
async function work(job: Job): Promise<void> {
  // Stack traces are off, because faults throw thousands of errors. To explain a failure, run its seed again with a
  // trace of events.
  Error.stackTraceLimit = 0
  const { without, isTraced } = job
  if (job.isExplained === true) {
    for (const seed of job.seeds) await send({ kind: 'ran', result: await leastRun(runSeed, seed) })
    return process.disconnect()
  }
  for (const seed of job.seeds) {
    const report = await runSeed({ seed, without: new Set(without), isTraced }).then(
      (result): SeedReport => ({ kind: 'ran', result }),
      (error: unknown): SeedReport => ({ kind: 'threw', seed, message: String(error) }),
    )
    await send(report)
    const isFailure = report.kind === 'threw' || report.result.violation !== undefined
    if (isFailure && job.isBrief === true) break
  }
  const { user, system } = process.cpuUsage()
  await send({ kind: 'spent', cpuMs: (user + system) / 1_000 })
  process.disconnect()
}

const send = (report: Report): Promise<void> =>
  new Promise((resolve) => process.send?.(report, () => resolve()))

Object.assign(globalThis, { AbortController: QuickAbortController })

// When the connection to the parent process is lost, this process ends, because nothing reads its reports any more.
process.once('disconnect', () => process.exit())

process.once('message', (job: Job) => {
  work(job).catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`)
    process.exit(1)
  })
})
