import type { Address } from '@solana/kit'
import type { LoadedAddresses } from './lookup-tables.ts'
import type { Outcome } from './runtime.ts'
import type { TokenBalance } from './token-balances.ts'

/** A transaction that landed, successful or not, with all data that `getTransaction` returns. */
export interface TransactionRecord {
  readonly signature: string
  readonly slot: number
  readonly wire: Uint8Array
  /** The transaction's accounts: static ones, then loaded writable ones, then loaded read-only ones. */
  readonly accountKeys: readonly Address[]
  readonly loaded: LoadedAddresses
  readonly outcome: Outcome
  /** The fee in lamports. */
  readonly fee: bigint
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances: readonly TokenBalance[]
  readonly postTokenBalances: readonly TokenBalance[]
  /**
   * The key of the message in the status cache. Transactions that differ only in their signatures have the same key.
   */
  readonly messageHash: string
  readonly recentBlockhash: string
  /** The transaction's compute unit price, in micro-lamports. */
  readonly unitPrice: bigint
  readonly writableKeys: readonly Address[]
}
