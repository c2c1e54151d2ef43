import { openTarget, type OpenedTarget } from './open-target.ts'
import { parseOptions, type Options } from './options.ts'
import { describeReport } from './print-report.ts'
import { runFuzz, tooFew, type FuzzReport } from './run-fuzz.ts'

const SHOWN_EVERY = 50

/** Shows the progress on a terminal as one changing line. Writes nothing if the output is a file. */
function showProgress(total: number) {
  return (done: number, complaints: number): void => {
    if (!process.stderr.isTTY || (done % SHOWN_EVERY !== 0 && done !== total)) return
    process.stderr.write(`\r${done} of ${total} requests, ${complaints} answered wrongly`)
    if (done === total) process.stderr.write('\n')
  }
}

/** Returns an error text if the service's log contains an address or a key. */
function leaksInLog({ stack, target }: OpenedTarget): string | undefined {
  const logged = stack.logged()
  const { keys, senders, recipients } = target
  const found = [...Object.values(keys), ...senders, ...recipients].some((one) =>
    logged.includes(one),
  )
  return found ? 'the log of the service repeats an address or a key' : undefined
}

function print(
  report: FuzzReport,
  failure: string | undefined,
  { json }: Options,
  seconds: string,
) {
  if (json) {
    process.stdout.write(`${JSON.stringify({ ...report, failure: failure ?? null })}\n`)
    return
  }
  process.stdout.write(`${describeReport(report)}\n`)
  if (failure !== undefined) process.stdout.write(`${failure}\n`)
  process.stdout.write(`The requests took ${seconds} s\n`)
}

async function run(options: Options): Promise<0 | 1> {
  const { requests, seed } = options
  if (!options.json) process.stdout.write(`Starting the service; the seed is ${seed}\n`)
  const opened = await openTarget()
  try {
    const started = performance.now()
    const report = await runFuzz(opened.target, {
      requests,
      seed,
      onProgress: showProgress(requests),
    })
    const seconds = ((performance.now() - started) / 1_000).toFixed(1)
    const failure = leaksInLog(opened)
    print(report, failure, options, seconds)
    const isGood = report.complained === 0 && tooFew(report) === undefined && failure === undefined
    return isGood ? 0 : 1
  } finally {
    await opened.close()
  }
}

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`\nThe fuzz run failed: ${message}\n`)
  process.exitCode = 1
}
