import { seconds, type Step } from './drill.ts'
import type { Latency } from './tally.ts'

type Counts = Readonly<Record<string, number>>

/** The results of a run. `violations` must be empty. */
export interface Report {
  readonly orders: number
  readonly seed: number
  /** Seconds from the start of the first order until the last one ended. */
  readonly seconds: number
  readonly steps: readonly Step[]
  readonly ends: Counts
  readonly kinds: Counts
  /** Numbers of answers that clients received from the balancer, by status. */
  readonly answers: Counts
  readonly replicas: Counts
  readonly latency: Latency
  /** Number of balances that were compared to the base unit: one for each wallet and asset. */
  readonly balances: number
  readonly violations: readonly string[]
}

const list = (counts: Counts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const time = (ms: number | undefined): string => (ms === undefined ? '-' : seconds(ms)).padStart(8)

/** Formats the report for a person. */
export function describeReport(report: Report): string {
  const { orders, seed, latency, violations } = report
  const drills = [...new Set(report.steps.map(({ drill }) => drill))].join(' ')
  return [
    '',
    `  ${'drill'.padEnd(10)}${'stopped'.padStart(8)}${'serving'.padStart(8)}  what`,
    ...report.steps.map(
      ({ drill, what, stopMs, startMs }) =>
        `  ${drill.padEnd(10)}${time(stopMs)}${time(startMs)}  ${what}`,
    ),
    '',
    `${orders} orders in ${report.seconds} s, seed ${seed}`,
    `  ends      ${list(report.ends)}`,
    `  kinds     ${list(report.kinds)}`,
    `  answers   ${list(report.answers)}, by ${list(report.replicas)}`,
    `  latency   median ${latency.p50} ms, 99% within ${latency.p99} ms, slowest ${latency.max} ms`,
    `  ${report.balances} balances compared`,
    ...violations.map((one) => `  WRONG: ${one}`),
    violations.length === 0
      ? 'No order failed, no client got a wrong answer, and every balance is exact.'
      : `${violations.length} violations were found. To repeat: npm run e2e:replicas -- --drill ${drills} --orders ${orders} --seed ${seed}`,
  ].join('\n')
}
