import { epochOf, statusOf } from '../store/memory-database.ts'
import { livesLikeBalance } from '../../packages/server/src/domain/balance.ts'
import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import { RETENTION_MS } from '../actors/setting.ts'
import { NULLIFIER_RENT } from '../chain/ledger.ts'
import { TOKEN_ACCOUNT_RENT } from '../chain/money.ts'
import type { Life } from '../run/life.ts'
import type { Evidence } from './evidence.ts'
import type { Fail } from './verdict.ts'

/** The lamports that a relayer pays for a settlement with a new token account, without priority fees. */
const SETTLEMENT_LAMPORTS = NULLIFIER_RENT + TOKEN_ACCOUNT_RENT + 5_000n
/**
 * The chain's clock may be ahead by at most this time. Anything that the service schedules by this clock may happen too
 * early by this time.
 */
const AHEAD_MS = 900_000
/**
 * If a connection is cut, a worker's write may land late. This is the longest time between the worker's read of the
 * balances and that write.
 */
const LATE_MS = 60_000

/** The relayers' balances that a node reported to a worker. */
interface ReportedBalances {
  readonly atMs: number
  readonly balances: readonly bigint[]
}

/**
 * Checks that workers report correctly whether the relayers can pay. Also checks that no worker holds leaves that were
 * never in the database, and that no key is destroyed too early.
 */
export class UpkeepWatch {
  readonly #evidence: Evidence
  /** The greatest number of leaves that the database has had. */
  #mostLeaves = 0
  /** For each worker: the relayers' balances that nodes reported to it, newest first. */
  readonly #reported = new Map<string, readonly ReportedBalances[]>()
  /** For each order: the virtual time at which the order became final. */
  readonly #endedAtMs = new Map<string, number>()

  constructor(evidence: Evidence) {
    this.#evidence = evidence
  }

  /** Records that an order is final now. */
  ended(key: string): void {
    if (!this.#endedAtMs.has(key)) this.#endedAtMs.set(key, this.#evidence.timeline.nowMs)
  }

  balancesRead(life: Life, balances: readonly bigint[]): void {
    const { nowMs } = this.#evidence.timeline
    const recent = (this.#reported.get(life.name) ?? []).filter(
      ({ atMs }) => atMs + LATE_MS > nowMs,
    )
    this.#reported.set(life.name, [{ atMs: nowMs, balances }, ...recent])
  }

  /**
   * Checks that the service stops new orders before the relayers run out of money for settling the open orders. Also
   * checks that it accepts new orders while the relayers can pay.
   */
  liquidityRecorded(isLiquid: boolean, life: Life, fail: Fail): void {
    const { orders, cursor } = this.#evidence.memory.database
    // Balances and expired orders don't count. Balances need no settlement before their end, and a refund may wait for
    // the sender's account.
    const open = [...orders.values()].filter(
      (order) =>
        order.status === 'deposited' &&
        !isFinal(statusOf(order)) &&
        !livesLikeBalance(order) &&
        order.expiry >= (cursor?.unixSeconds ?? 0n),
    ).length
    const payables = (this.#reported.get(life.name) ?? []).map(({ balances }) =>
      payableFrom(balances),
    )
    // A worker computes `isLiquid` from the newest balances that it read. Only a write that lands late may use older
    // balances.
    const isLate = this.#evidence.faults.fired.database_late_commit !== undefined
    const known = payables.length === 0 ? [0n] : payables.slice(0, isLate ? payables.length : 1)
    if (isLiquid && known.every((payable) => payable <= BigInt(open)))
      fail('orders are refused while relayers lack money', life.name)
    if (!isLiquid && known.every((payable) => payable >= 100n))
      fail('orders are accepted while relayers can pay', life.name)
  }

  /**
   * Checks that the database has had every leaf that a process holds. A process must read leaves from the database, or
   * record new leaves in the same step in which it appends them. If another worker drops leaves from the database after
   * a rescan, the process may still hold the dropped leaves for some rounds.
   */
  leavesRead(from: number, life: Life, fail: Fail): void {
    this.leavesRecorded()
    if (from > this.#mostLeaves) fail('I9: no worker holds unrecorded leaves', life.name)
  }

  leavesRecorded(): void {
    this.#mostLeaves = Math.max(this.#mostLeaves, this.#evidence.memory.database.leaves.length)
  }

  destroyed(epoch: number, fail: Fail): void {
    const { memory, timeline, faults } = this.#evidence
    const areTrue = faults.fired.wall_clock_jump === undefined
    for (const [key, order] of [...memory.database.orders, ...memory.database.payments]) {
      if (epochOf(order) !== epoch) continue
      const endedAtMs = this.#endedAtMs.get(key)
      if (endedAtMs === undefined) fail('no key is destroyed before its orders end', key)
      else if (areTrue && timeline.nowMs < endedAtMs + RETENTION_MS - AHEAD_MS) {
        fail('keys outlive their orders by the retention time', key)
      }
    }
  }
}

/** The number of settlements that relayers with these balances can pay for. */
function payableFrom(balances: readonly bigint[]): bigint {
  return balances.reduce((sum, balance) => sum + balance / SETTLEMENT_LAMPORTS, 0n)
}
