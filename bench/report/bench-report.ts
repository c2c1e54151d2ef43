import type { Line } from './line.ts'
import type { Machine } from './machine.ts'

/** One run of the benchmark, with the data that the report's page shows. */
export interface BenchRun {
  readonly command: string
  /** The commit that was measured. `isDirty` is true if there were uncommitted changes. */
  readonly commit: string
  readonly isDirty: boolean
  readonly date: string
  readonly node: string
  readonly machine: Machine
}

export interface ReportedLine extends Line {
  readonly suite: string
  /** The index of the run that measured the line. */
  readonly run: number
}

/** The newest values of every line, and the runs that measured them. */
export interface BenchReport {
  readonly runs: readonly BenchRun[]
  readonly results: readonly ReportedLine[]
}

export const NO_REPORT: BenchReport = { runs: [], results: [] }

export interface SuiteResult {
  readonly suite: string
  readonly lines: readonly Line[]
  /** True if the suite measured all of its lines. Then the report drops lines that the suite no longer has. */
  readonly isWhole: boolean
}

/**
 * Adds the lines of a run to the report. They replace older lines with the same names. Then drops runs that have no
 * lines left.
 */
export function mergeRun(report: BenchReport, run: BenchRun, result: SuiteResult): BenchReport {
  const { suite, lines, isWhole } = result
  const names = new Set(lines.map(({ name }) => name))
  const isReplaced = (old: ReportedLine) => old.suite === suite && (isWhole || names.has(old.name))
  const added = lines.map((line) => ({ ...line, suite, run: report.runs.length }))
  const results = [...report.results.filter((old) => !isReplaced(old)), ...added]
  return withoutIdle({ runs: [...report.runs, run], results })
}

function withoutIdle({ runs, results }: BenchReport): BenchReport {
  const texts = runs.map((run) => JSON.stringify(run))
  // The suites of one call of `all` have the same description, so they share one run in the report.
  const firstOf = (index: number) => texts.indexOf(texts[index] ?? '')
  const used = [...new Set(results.map(({ run }) => firstOf(run)))].sort((a, b) => a - b)
  return {
    runs: used.flatMap((index) => runs[index] ?? []),
    results: results.map((line) => ({ ...line, run: used.indexOf(firstOf(line.run)) })),
  }
}
