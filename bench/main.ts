import { parseOptions, type Options } from './options.ts'
import { mergeRun } from './report/bench-report.ts'
import { describeRun } from './report/describe-run.ts'
import type { Line } from './report/line.ts'
import { readReport, writeReport } from './report/report-file.ts'
import { renderTable } from './report/table.ts'
import { runSuite } from './run-suite.ts'

const progress = (text: string): void => void process.stderr.write(`${text}\n`)

/** Returns the exit code: 1 if a value missed its limit or nothing was measured, and 2 if a suite failed. */
async function run(options: Options): Promise<0 | 1 | 2> {
  const { suites, json, quick, only, report: isReported } = options
  const described = isReported ? await describeRun(options.command) : undefined
  const lines: Line[] = []
  const failed: string[] = []
  for (const suite of suites) {
    try {
      const found = await runSuite(suite, options, progress)
      lines.push(...found)
      if (described === undefined || found.length === 0) continue
      // The report is written after each suite, so that the suite's results are kept even if a later suite fails.
      const result = { suite, lines: found, isWhole: only === '' }
      await writeReport(mergeRun(await readReport(), described, result))
    } catch (error) {
      failed.push(suite)
      progress(`\nThe suite ${suite} failed: ${explain(error)}\n`)
    }
  }
  process.stdout.write(`${json ? JSON.stringify(lines, null, 2) : renderTable(lines)}\n`)
  const missed = lines.filter(({ ok }) => !ok).map(({ name }) => name)
  if (missed.length > 0) progress(`Missed: ${missed.join('; ')}`)
  if (failed.length > 0) progress(`Failed: ${failed.join(', ')}; run those again with --only`)
  if (quick) progress('The figures of a run with --quick are meaningless.')
  if (failed.length > 0) return 2
  // A run that measured nothing must not count as success.
  return lines.length > 0 && missed.length === 0 ? 0 : 1
}

const explain = (error: unknown): string =>
  error instanceof Error
    ? error.message + (error.cause === undefined ? '' : `\n${explain(error.cause)}`)
    : String(error)

try {
  process.exitCode = await run(parseOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`\nThe benchmark failed: ${explain(error)}\n`)
  process.exitCode = 2
}
