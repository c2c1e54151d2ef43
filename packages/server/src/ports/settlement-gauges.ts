/** How settlement stands, without an address, an id or an exact time of a delivery. */
export interface SettlementReport {
  /** Lamports of each relayer, in the order in which they are configured. */
  readonly balances: readonly bigint[]
  /** Settlements that each of them can still pay for, in the same order. */
  readonly affordableOf: readonly bigint[]
  /** Settlements that the relayers can still pay for together. */
  readonly affordable: bigint
  /** False where new orders are refused for want of relayers' balance. */
  readonly isLiquid: boolean
  /** Notes in the tree that aren't settled. */
  readonly open: number
  /** Unpaid orders that a deposit may still reach. */
  readonly payable: number
  /** How long the oldest waiting order has been due, in coarse steps. */
  readonly overdueSeconds: number
  /** Whole hours since the hour of the last delivery; undefined where none is kept. */
  readonly lastDeliveryHours: number | undefined
}

/** Takes the newest report; what was reported before is forgotten. */
export interface SettlementGauges {
  readonly report: (report: SettlementReport) => void
}
