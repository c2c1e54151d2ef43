import type { Outcome } from './outcome.ts'
import type { StepResult } from './run-steps.ts'

// The maximum number of problems to print. With more lines, the reason for the failure would scroll off the screen. The
// report also gives the number of omitted problems.
const problemsShownMax = 40

/**
 * The lines for one check. A check that passed gets one line. A check that failed also gets its problems and the reason
 * for the rule.
 */
export function renderOutcome({ name, problems, note, why, skipped }: Outcome): string {
  if (skipped !== undefined) return `SKIP  ${name} (${skipped})`
  const detail = note === undefined ? '' : ` (${note})`
  if (problems.length === 0) return `ok    ${name}${detail}`
  const shown = problems.slice(0, problemsShownMax)
  const left = problems.length - shown.length
  const body = left > 0 ? [...shown, `and ${left} more`] : shown
  const lines = body.flatMap((problem) => problem.split('\n')).map((line) => `      ${line}`)
  const reason = why === undefined ? [] : [`      Why: ${why}`]
  return [`FAIL  ${name}${detail}`, ...lines, ...reason].join('\n')
}

/** One line with the seconds of each step, sorted from the longest to the shortest. */
export function renderTimes(results: readonly StepResult[]): string {
  const longestFirst = [...results].sort((one, other) => other.seconds - one.seconds)
  return longestFirst.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`).join(', ')
}

/** The last line of the output, for programs to parse. */
export function renderCount(outcomes: Outcome[]): string {
  const failed = outcomes.filter((outcome) => outcome.problems.length > 0).length
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length
  const count = `${outcomes.length - failed - skipped} passed, ${failed} failed`
  // The number of skipped checks is printed on an earlier line, because programs parse the last line.
  return skipped === 0 ? count : `${skipped} skipped, see above\n${count}`
}
