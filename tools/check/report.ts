import type { Outcome } from './outcome.ts'
import type { StepResult } from './run-steps.ts'

// More lines would scroll the reason off the screen. The count shows the total.
const problemsShownMax = 40

/** One line for a check that passed. For a check that failed, also the problems and the reason. */
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

/** One line with the seconds of each step, the longest first. */
export function renderTimes(results: readonly StepResult[]): string {
  const longestFirst = [...results].sort((one, other) => other.seconds - one.seconds)
  return longestFirst.map(({ name, seconds }) => `${name} ${Math.round(seconds)} s`).join(', ')
}

/** The last line, for programs. */
export function renderCount(outcomes: Outcome[]): string {
  const failed = outcomes.filter((outcome) => outcome.problems.length > 0).length
  const skipped = outcomes.filter((outcome) => outcome.skipped !== undefined).length
  const count = `${outcomes.length - failed - skipped} passed, ${failed} failed`
  // These lines come before the summary, because programs read the last line.
  return skipped === 0 ? count : `${skipped} skipped, see above\n${count}`
}
