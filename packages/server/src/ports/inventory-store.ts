import type { Address, Amount } from '@sotto/protocol'

/** The database's record of an asset's inventory; amounts in base units. */
export interface InventoryRecord {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
  readonly isSwappable: boolean
  /** The part of the inventory that unpaid swaps reserve. */
  readonly reserved: Amount
  /** The amounts that deposited swaps have taken from the inventory since the given time, and added to it. */
  readonly paidOut: bigint
  readonly takenIn: bigint
}

export interface InventoryStore {
  /**
   * Every asset, by symbol. `paidOut` and `takenIn` count the last `rateSeconds` of the chain's clock. Empty before a
   * worker has followed the chain.
   */
  readonly readInventories: (rateSeconds: bigint) => Promise<readonly InventoryRecord[]>
}

/** How long an asset's inventory lasts. */
export interface Runway {
  readonly symbol: string
  /** See `hoursUntilDry`. */
  readonly hours: number
}
