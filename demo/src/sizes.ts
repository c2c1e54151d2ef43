/** The amounts of money that a run moves, in base units (SOL has nine decimals, the test token six). */
export interface Sizes {
  /**
   * The amount of every SOL send in the run. All are equal, because transfers of equal amounts form an anonymity set.
   */
  readonly solSent: bigint
  /**
   * The initial lamports of a SOL sender, and of wallets that only pay fees. They include the rent of the Order
   * account.
   */
  readonly solHeld: bigint
  /** The exact amount of tokens that the recipient gets, and the token balance of the sender. */
  readonly tokensDelivered: bigint
  readonly tokensHeld: bigint
  /** The initial lamports of the admin and of each relayer, for rent, fees and inventory. */
  readonly adminLamports: bigint
  readonly relayerLamports: bigint
  /** The inventory for swaps. */
  readonly solInventory: bigint
  readonly tokenInventory: bigint
}

/** Sizes for our own chain, on which lamports are free. */
export const GENEROUS: Sizes = {
  solSent: 1_000_000_000n,
  solHeld: 3_000_000_000n,
  tokensDelivered: 250_000_000n,
  tokensHeld: 1_000_000_000n,
  adminLamports: 10_000_000_000_000n,
  relayerLamports: 100_000_000_000n,
  solInventory: 1_000_000_000_000n,
  tokenInventory: 100_000_000_000n,
}

/** Sizes for a cluster on which lamports are scarce. A whole run needs less than two SOL. */
export const FRUGAL: Sizes = {
  solSent: 20_000_000n,
  solHeld: 30_000_000n,
  tokensDelivered: 2_500_000n,
  tokensHeld: 10_000_000n,
  // Most of this amount is the rent of the Tree account, which is 116 KB in size.
  adminLamports: 1_400_000_000n,
  relayerLamports: 50_000_000n,
  solInventory: 50_000_000n,
  tokenInventory: 1_000_000_000n,
}
