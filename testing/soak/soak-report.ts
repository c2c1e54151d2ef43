import type { MemoryReport } from './watch-memory.ts'

type Counts = Readonly<Record<string, number>>

/** The results of a run. `violations` must be empty. */
export interface SoakReport {
  readonly orders: number
  readonly seed: number
  /** Seconds from the start of the first order until the last one ended. */
  readonly seconds: number
  readonly ends: Counts
  readonly fates: Counts
  readonly kinds: Counts
  readonly faults: Counts
  readonly kills: number
  /** The number of times that a process ended without being killed, for example after a start without a node. */
  readonly otherEnds: number
  /** Number of proofs, including those of killed processes. */
  readonly proofs: number
  /** Number of balances that were compared to the base unit: one for each wallet and asset. */
  readonly balances: number
  /**
   * Number of orders that opened a balance. `payments` has the numbers of payments out of the balances, by their final
   * status.
   */
  readonly topUps: number
  readonly payments: Counts
  readonly memory: (MemoryReport & { readonly isJudged: boolean }) | null
  readonly violations: readonly string[]
}

const list = (counts: Counts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ')

const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`

/** Formats the report for a person. */
export function describeReport(report: SoakReport): string {
  const { orders, seed, seconds, memory, violations } = report
  const held =
    memory === null
      ? []
      : [
          `  memory   ${megabytes(memory.atQuarter)} at a quarter, ${megabytes(memory.atEnd)} at the end` +
            (memory.isJudged ? '' : ' (too few orders to judge)'),
        ]
  return [
    `${orders} orders in ${seconds} s, seed ${seed}`,
    `  ends     ${list(report.ends)}`,
    `  fates    ${list(report.fates)}`,
    `  kinds    ${list(report.kinds)}`,
    `  faults   ${list(report.faults)}`,
    `  kills    ${report.kills}, unexpected exits ${report.otherEnds}`,
    `  proofs   ${report.proofs}`,
    ...held,
    `  topped up ${report.topUps}, payments ${list(report.payments)}`,
    `  ${report.balances} balances compared`,
    ...violations.map((one) => `  WRONG: ${one}`),
    violations.length === 0
      ? 'Every order is final, and every balance is exact.'
      : `${violations.length} violations were found. To repeat: npm run soak -- --orders ${orders} --seed ${seed}`,
  ].join('\n')
}
