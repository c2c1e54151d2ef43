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
   * The amount of this asset that the inventory paid out for recently deposited swaps. `takenIn` is the amount of this
   * asset that recently deposited swaps added to the inventory.
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

/** The time until an asset's inventory is used up. */
export interface Runway {
  readonly symbol: string
  /** The hours until the inventory is used up; see `hoursUntilDry`. */
  readonly hours: number
}
