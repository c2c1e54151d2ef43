import type { Amount } from '@sotto/protocol'
/** The state of settlement, without addresses, ids or exact delivery times. */
export interface SettlementReport {
  /** The lamports of each relayer, in the order in which the relayers are configured. */
  readonly balances: readonly Amount[]
  /** Number of settlements that each relayer can still pay for, in the same order as `balances`. */
  readonly affordableOf: readonly bigint[]
  /** Number of settlements that all relayers together can still pay for. */
  readonly affordable: bigint
  /** False if new orders are refused because the relayers' balances are too low. */
  readonly isLiquid: boolean
  /** The price that all transactions offer for priority, in micro-lamports per compute unit. */
  readonly unitPrice: bigint
  /** True if the price is at its limit and can't rise. */
  readonly isPriceAtCeiling: boolean
  /** Number of notes in the tree that aren't settled. */
  readonly open: number
  /** Number of unpaid orders whose deposit may still land. */
  readonly payable: number
  /** Time in seconds for which the oldest waiting order or payment out of a balance has been due, in coarse steps. */
  readonly overdueSeconds: number
  /** Whole hours since the hour of the last delivery; undefined if no delivery is recorded. */
  readonly lastDeliveryHours: number | undefined
}

/** Receives reports. Each report replaces the previous report. */
export interface SettlementGauges {
  readonly report: (report: SettlementReport) => void
  /**
   * Reports a time, in milliseconds since 1970. All hourly keys that were due for destruction before this time are
   * destroyed. A key is due some time after the last order that needs it has ended. While a key is overdue, the
   * reported time is exact only to the hour.
   */
  readonly keysDestroyedUntil: (atMs: number) => void
}
