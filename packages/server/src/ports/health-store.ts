import type { Liquidity } from './market-store.ts'

/** What the stored leaves and orders say of themselves. */
export interface Ledger {
  /** Stored leaves, from the first on. */
  readonly leaves: number
  /** True where a leaf is no note of an order of this database: its amount isn't known here. */
  readonly hasForeign: boolean
  /** The hour in which an order was last delivered, in milliseconds; undefined where none is kept. */
  readonly lastDeliveryHourMs: number | undefined
}

/** What workers find out about the service itself, for the processes that take orders. */
export interface HealthStore {
  readonly readLedger: () => Promise<Ledger>
  /** Unpaid orders that a deposit may still reach at a time of the chain. */
  readonly countPayable: (unixSeconds: bigint) => Promise<number>
  /** Whether the relayers can pay for what is open, and for how many more orders. */
  readonly recordLiquidity: (liquidity: Liquidity) => Promise<void>
  /** Whether chain and database agree. */
  readonly recordBooks: (areAgreeing: boolean, nowMs: number) => Promise<void>
}
