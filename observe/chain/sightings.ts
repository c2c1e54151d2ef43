import type { Address, Amount } from '@sotto/protocol'

/** How a transaction asks to be included in a block. Every member is public. */
export interface SeenLayout {
  /** The compute unit limit; undefined if the transaction sets none. */
  readonly unitLimit: number | undefined
  /** Micro-lamports for each compute unit; undefined if the transaction sets none. */
  readonly unitPrice: bigint | undefined
  /** The programs that the transaction calls, in order, except for the creation of a token account. */
  readonly programs: string
  /** True if the transaction may create a token account. */
  readonly opensAccount: boolean
}

/** A deposit as every reader of the chain sees it. */
export interface SeenDeposit {
  /** The place among the deposits, from 0. */
  readonly index: number
  /** The place of the deposit's leaf in the tree. */
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

/** A settlement as every reader of the chain sees it. */
export interface SeenSettlement {
  /** The place among the settlements, from 0. */
  readonly index: number
  /** The place in the tree of the leaf of the settlement's change. */
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
  /** The wallet that pays the transaction. */
  readonly relayer: Address
  /** The last leaf under the root that the proof names; undefined for a checkpoint. */
  readonly rootLeaf: number | undefined
  readonly nullifier: bigint
  readonly changeLeaf: bigint
  readonly layout: SeenLayout
}

/** Everything that an observer has: the deposits and settlements of one pool, in the order of their leaves. */
export interface Sightings {
  readonly deposits: readonly SeenDeposit[]
  readonly settlements: readonly SeenSettlement[]
  /** The block time of each leaf. */
  readonly leafSeconds: readonly number[]
  /** The newest block time that was read. */
  readonly untilSeconds: number
}

/** The amount that the settlement takes from its note: payout and fee. */
export const grossOf = ({ payout, fee }: SeenSettlement): bigint => payout + fee
