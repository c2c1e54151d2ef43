/** The amounts of money that a run moves, in base units (SOL has nine decimals, the test token six). */
export interface Sizes {
  /** The amount of every SOL send in the run: equal amounts form an anonymity set. */
  readonly solSent: bigint
  /** The initial balance of a SOL sender and of wallets that only pay fees, including the Order's rent. */
  readonly solHeld: bigint
  /** The exact token amount that arrives, and the sender's token balance. */
  readonly tokensDelivered: bigint
  readonly tokensHeld: bigint
  /** The lamports of the admin and each relayer for rent, fees and inventory. */
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

/** Sizes for a cluster on which lamports are scarce: a whole run needs less than two SOL. */
export const FRUGAL: Sizes = {
  solSent: 20_000_000n,
  solHeld: 30_000_000n,
  tokensDelivered: 2_500_000n,
  tokensHeld: 10_000_000n,
  // Most of it is the rent of the tree, which has 116 KB.
  adminLamports: 1_400_000_000n,
  relayerLamports: 50_000_000n,
  solInventory: 50_000_000n,
  tokenInventory: 1_000_000_000n,
}
