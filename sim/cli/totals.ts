import { FAULT_KINDS } from '../faults/fault-kinds.ts'
import type { RunResult } from '../run/run-seed.ts'
import type { Report } from './job.ts'

/** Seeds per second that two processes should reach on two idle cores. */
const BAR = 20

/** A seed that broke a rule, or that the simulator couldn't run. */
export interface Failure {
  readonly seed: number
  readonly rule: string
  readonly detail: string
}

/** The totals of all seeds. */
export class Totals {
  readonly failures: Failure[] = []
  seeds = 0
  events = 0
  orders = 0
  transactions = 0
  /** Number of the services' transactions that landed. */
  paid = 0
  /** The priority fees of these transactions together, in lamports. */
  priorityLamports = 0n
  /** The processor time of all processes, in milliseconds. */
  cpuMs = 0
  readonly statuses: Record<string, number> = {}
  readonly payments: Record<string, number> = {}
  readonly faults: Record<string, number> = Object.fromEntries(FAULT_KINDS.map((kind) => [kind, 0]))

  take(report: Report): void {
    if (report.kind === 'spent') {
      this.cpuMs += report.cpuMs
      return
    }
    this.seeds += 1
    if (report.kind === 'threw') {
      this.failures.push({ seed: report.seed, rule: 'the run ends', detail: report.message })
      return
    }
    this.#add(report.result)
  }

  #add(result: RunResult): void {
    const { seed, violation, events, orders, transactions, statuses, payments, faults, costs } =
      result
    this.paid += costs.paid
    this.priorityLamports += BigInt(costs.priorityLamports)
    this.events += events
    this.orders += orders
    this.transactions += transactions
    for (const [status, count] of Object.entries(statuses)) {
      this.statuses[status] = (this.statuses[status] ?? 0) + count
    }
    for (const [status, count] of Object.entries(payments)) {
      this.payments[status] = (this.payments[status] ?? 0) + count
    }
    for (const [kind, count] of Object.entries(faults)) {
      this.faults[kind] = (this.faults[kind] ?? 0) + count
    }
    if (violation !== undefined) {
      this.failures.push({ seed, rule: violation.rule, detail: violation.detail })
    }
  }

  /** The report. It includes the averages per seed, because a run with few events proves little. */
  summary(seconds: number) {
    const mean = (total: number) => Math.round((100 * total) / Math.max(1, this.seeds)) / 100
    const means = (totals: Readonly<Record<string, number>>) =>
      Object.fromEntries(Object.entries(totals).map(([name, total]) => [name, mean(total)]))
    const seedsPerSecond = Math.round((100 * this.seeds) / seconds) / 100
    return {
      seeds: this.seeds,
      failed: this.failures.length,
      seconds: Math.round(10 * seconds) / 10,
      seedsPerSecond,
      bar: { seedsPerSecond: BAR, isMet: seedsPerSecond >= BAR },
      cpuMsPerSeed: mean(this.cpuMs),
      averageSeed: {
        orders: mean(this.orders),
        statuses: means(this.statuses),
        payments: means(this.payments),
        transactions: mean(this.transactions),
        paidTransactions: mean(this.paid),
        priorityLamportsEach: `${this.priorityLamports / BigInt(Math.max(1, this.paid))}`,
        events: Math.round(this.events / Math.max(1, this.seeds)),
        faults: mean(Object.values(this.faults).reduce((sum, count) => sum + count, 0)),
        faultsByKind: means(this.faults),
      },
      failures: [...this.failures].sort((left, right) => left.seed - right.seed),
    }
  }
}
