import type { Address, Amount } from '@sotto/protocol'

/** The database's record of an asset's inventory. Amounts are in base units. */
export interface InventoryRecord {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
  readonly isSwappable: boolean
  /** The part of the inventory that unpaid swaps reserve. */
  readonly reserved: Amount
  /**
   * The amount that recently deposited swaps have taken from the inventory. `takenIn` is the amount that they have
   * added to it.
   */
  readonly paidOut: bigint
  readonly takenIn: bigint
  /** The same two amounts for the last hour only. */
  readonly lately: { readonly paidOut: bigint; readonly takenIn: bigint }
}

export interface InventoryStore {
  /**
   * Reads the record of every asset, sorted by symbol. `paidOut` and `takenIn` cover the last `rateSeconds` by the
   * chain's clock. The list is empty until a worker has followed the chain.
   */
  readonly readInventories: (rateSeconds: bigint) => Promise<readonly InventoryRecord[]>
}

/** The time for which an asset's inventory lasts. */
export interface Runway {
  readonly symbol: string
  /** The hours until the inventory is used up; see `hoursUntilDry`. */
  readonly hours: number
}
