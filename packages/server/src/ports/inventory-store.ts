import type { Address, Amount } from '@sotto/protocol'

/** The database's record of an asset's inventory; amounts in base units. */
export interface InventoryRecord {
  readonly mint: Address
  readonly symbol: string
  readonly decimals: number
  readonly isSwappable: boolean
  /** The part of the inventory that unpaid swaps reserve. */
  readonly reserved: Amount
  /**
   * The amount that deposited swaps have recently taken from the inventory; `takenIn` is the amount that they have
   * added.
   */
  readonly paidOut: bigint
  readonly takenIn: bigint
}

export interface InventoryStore {
  /**
   * Every asset, by symbol. `paidOut` and `takenIn` count the last `rateSeconds` of the chain's clock. The list is
   * empty until a worker has followed the chain.
   */
  readonly readInventories: (rateSeconds: bigint) => Promise<readonly InventoryRecord[]>
}

/** How long an asset's inventory lasts. */
export interface Runway {
  readonly symbol: string
  /** See `hoursUntilDry`. */
  readonly hours: number
}
