import type { Outcome } from './outcome.ts'

type Advisory = { readonly title?: string; readonly url?: string }
interface Report {
  readonly vulnerabilities?: Readonly<
    Record<string, { readonly severity: string; readonly via: readonly (string | Advisory)[] }>
  >
  readonly metadata?: { readonly vulnerabilities?: Readonly<Record<string, number>> }
  readonly error?: { readonly summary?: string }
  readonly message?: string
}

const REFUSED: readonly string[] = ['high', 'critical']

/**
 * Evaluates the output of an audit. High and critical vulnerabilities of shipped packages are failures. If the output
 * isn't an audit, the check is reported as skipped, because nothing was checked.
 *
 * @param output the text that `npm audit --json` wrote.
 */
export function judgeAudit(output: string): Pick<Outcome, 'problems' | 'note' | 'skipped'> {
  const report = parse(output)
  const counts = report?.metadata?.vulnerabilities
  if (report?.vulnerabilities === undefined || counts === undefined) {
    return { problems: [], skipped: `NOT ASKED: ${reasonOf(report, output)}` }
  }
  const problems = Object.entries(report.vulnerabilities).flatMap(([name, { severity, via }]) =>
    REFUSED.includes(severity) ? [`${name}: ${severity}, ${via.map(textOf).join('; ')}`] : [],
  )
  const lesser = Object.entries(counts).filter(
    ([severity, count]) => !REFUSED.includes(severity) && severity !== 'total' && count > 0,
  )
  const note = lesser.map(([severity, count]) => `${count} ${severity}`).join(', ')
  return { problems, note: note === '' ? 'no known vulnerability' : note }
}

const textOf = (via: string | Advisory): string =>
  typeof via === 'string' ? `by ${via}` : [via.title, via.url].filter(Boolean).join(' ')

function parse(output: string): Report | undefined {
  try {
    return JSON.parse(output.slice(output.indexOf('{'), output.lastIndexOf('}') + 1)) as Report
  } catch {
    return undefined
  }
}

function reasonOf(report: Report | undefined, output: string): string {
  const said = report?.error?.summary || report?.message || output.trim().split('\n').at(-1)
  return `known vulnerabilities were not looked up; ${said || 'npm audit said nothing'}`
}
