import type { Amount } from '@sotto/protocol'

/** The relayers' balances, and the cluster's rent, which determines most of a settlement's cost. */
export interface RelayerBalances {
  /** Lamports, in the order in which the wallets were given. */
  readonly balances: readonly Amount[]
  readonly lamportsPerByte: bigint
}
