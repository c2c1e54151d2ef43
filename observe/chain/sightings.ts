import type { Address, Amount } from '@sotto/protocol'

/** The form of a settlement's transaction. All of it is public. */
export interface SeenLayout {
  /** The compute unit limit; undefined if the transaction sets none. */
  readonly unitLimit: number | undefined
  /** The compute unit price, in micro-lamports; undefined if the transaction sets none. */
  readonly unitPrice: bigint | undefined
  /** The programs that the transaction calls, in order. The creation of a token account is left out. */
  readonly programs: string
  /** True if the transaction may create a token account. */
  readonly opensAccount: boolean
}

/** A deposit with the data that every reader of the chain sees. */
export interface SeenDeposit {
  /** The deposit's position among the deposits, counted from 0. */
  readonly index: number
  /** The index of the deposit's leaf in the tree. */
  readonly leafIndex: number
  /** The block's time, in seconds since 1970. */
  readonly seconds: number
  readonly sender: Address
  readonly sourceAsset: Address
  /** The Asset account of the note. */
  readonly asset: Address
  readonly amountIn: Amount
  readonly partnerFee: Amount
  /** The note's value, in base units of `asset`. */
  readonly value: Amount
  readonly deadline: number
  readonly orderId: Uint8Array
  readonly inner: bigint
  readonly payload: Uint8Array
}

/** A settlement with the data that every reader of the chain sees. */
export interface SeenSettlement {
  /** The settlement's position among the settlements, counted from 0. */
  readonly index: number
  /** The index of the change note's leaf in the tree. */
  readonly leafIndex: number
  /** The block's time, in seconds since 1970. */
  readonly seconds: number
  readonly signature: string
  readonly asset: Address
  readonly payee: Address
  readonly payout: Amount
  readonly fee: Amount
  readonly isRefund: boolean
  /** The public time that the proof states, in seconds since 1970. */
  readonly time: number
  /** The wallet that pays the transaction's fees. */
  readonly relayer: Address
  /** The index of the last leaf that the proof's root covers; undefined if the root is a checkpoint's. */
  readonly rootLeaf: number | undefined
  readonly nullifier: bigint
  readonly changeLeaf: bigint
  readonly layout: SeenLayout
  /**
   * The time at which the payee's token account was opened, in seconds since 1970. For an account that is older than
   * the pool, this may be any time before the pool's first transaction. Undefined for native SOL, and if the time
   * isn't known.
   */
  readonly accountSeconds: number | undefined
}

/**
 * A settlement that failed in a block, and so paid nothing. The chain still shows whom it would have paid. The
 * nullifier shows which note it would have spent.
 */
export interface FailedSettlement {
  readonly seconds: number
  readonly asset: Address
  readonly payee: Address
  readonly isRefund: boolean
  readonly nullifier: bigint
  /** The wallet that pays the transaction's fees. */
  readonly relayer: Address
}

/** All data that an observer has: the deposits and settlements of one pool, in the order of their leaves. */
export interface Sightings {
  readonly deposits: readonly SeenDeposit[]
  readonly settlements: readonly SeenSettlement[]
  /**
   * The failed settlements of wallets that also settled successfully, oldest first. Anyone can send a transaction that
   * fails, so the failed settlements of all other wallets prove nothing.
   */
  readonly failed: readonly FailedSettlement[]
  /** For each leaf: the time of its block, in seconds since 1970. */
  readonly leafSeconds: readonly number[]
  /** The newest block time that was read, in seconds since 1970. */
  readonly untilSeconds: number
}

/** The amount that the settlement takes from its note: payout and fee. */
export const grossOf = ({ payout, fee }: SeenSettlement): bigint => payout + fee
