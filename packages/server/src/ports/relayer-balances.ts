import type { Amount } from '@sotto/protocol'

/** What the relayers have, and the cluster's rent, on which the cost of their settlements depends. */
export interface RelayerBalances {
  /** Lamports, in the order in which the wallets were given. */
  readonly balances: readonly Amount[]
  readonly lamportsPerByte: bigint
}
