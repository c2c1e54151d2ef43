import { leafOf, type Poseidon } from '@sotto/protocol'
import { leafTermsOf } from '../../domain/note-of.ts'
import type { FollowedDeposit, TreeTransaction } from '../../ports/settlement-chain.ts'
import type { AwaitingOrder, StoredLeaf } from '../../ports/settlement-store.ts'

/** A deposit that is new to us, with its place in the tree and its time. */
export interface LandedDeposit {
  readonly deposit: FollowedDeposit
  readonly signature: string
  readonly slot: bigint
  readonly unixSeconds: bigint
  readonly leafIndex: number
}

/** Gives the deposits of transactions their places in the tree, from index `from` on. */
export function placed(transactions: readonly TreeTransaction[], from: number): LandedDeposit[] {
  return transactions
    .flatMap(({ deposits, signature, slot, unixSeconds }) =>
      deposits.map((deposit) => ({ deposit, signature, slot, unixSeconds })),
    )
    .map((landed, index) => ({ ...landed, leafIndex: from + index }))
}

/** The leaf that a deposit left, as the program computes it. */
export function leafRow(
  poseidon: Poseidon,
  { deposit, slot, leafIndex }: LandedDeposit,
): StoredLeaf {
  const leaf = leafOf(poseidon, leafTermsOf(deposit))
  return { index: leafIndex, leaf, orderId: deposit.orderId, slot }
}

/** The leaf that the deposit of an order would leave. */
export function leafOfOrder(poseidon: Poseidon, order: AwaitingOrder): bigint {
  return leafOf(poseidon, leafTermsOf(order))
}
