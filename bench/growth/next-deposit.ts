import { amount, unixSeconds } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { randomBytes } from 'node:crypto'
import type {
  ChainFollow,
  FinalizedHead,
  TreeTransaction,
} from '../../packages/server/src/ports/settlement-chain.ts'
import type { AwaitingOrder } from '../../packages/server/src/ports/settlement-store.ts'
import type { VerifiedTree } from '../../packages/server/src/settlement/follow/verified-tree.ts'

/** Placeholder for accounts that are never read. */
const NOWHERE = '11111111111111111111111111111111' as Address

/** A node that answers immediately, so that only the service's own work is measured. */
export class NextDeposit implements ChainFollow {
  readonly #tree: VerifiedTree
  #head: FinalizedHead
  #transactions: TreeTransaction[] = []

  constructor(tree: VerifiedTree, head: FinalizedHead) {
    this.#tree = tree
    this.#head = head
  }

  /** Has an order's deposit land in the next slot. */
  land(order: AwaitingOrder): void {
    const { slot, blockHeight, unixSeconds: seconds, nextLeaf } = this.#head
    this.#head = {
      ...{ slot: slot + 1n, blockHeight: blockHeight + 1n, unixSeconds: seconds },
      nextLeaf: nextLeaf + 1n,
    }
    const deposit = {
      ...{ isSwap: order.sourceMint !== order.destinationMint, orderId: order.orderId },
      ...{ amountIn: amount(order.amountIn), amountOut: amount(order.amountOut) },
      ...{ fee: amount(order.fee), partnerFee: amount(order.partnerFee) },
      ...{ deadline: unixSeconds(order.deadline), validUntil: unixSeconds(order.deadline) },
      ...{ expiry: unixSeconds(order.expiry), inner: order.inner, payload: new Uint8Array(52) },
      ...{ sender: order.sender, order: NOWHERE, sourceAsset: NOWHERE, destinationAsset: NOWHERE },
      ...{ sourceMint: order.sourceMint, destinationMint: order.destinationMint },
    }
    const signature = randomBytes(44).toString('hex')
    this.#transactions = [
      { signature, slot: this.#head.slot, unixSeconds: seconds, deposits: [deposit] },
    ]
  }

  /** Has a slot pass in which nothing lands. */
  pass(): void {
    this.#head = { ...this.#head, slot: this.#head.slot + 1n }
    this.#transactions = []
  }

  readonly readHead = async () => this.#head
  readonly readTreeTransactions = async () => this.#transactions
  readonly readRoots = async () => ({
    nextLeaf: this.#head.nextLeaf,
    rootAfter: () => this.#tree.root,
  })
  readonly readOrdersSeen = async (orderIds: readonly Uint8Array[]) => orderIds.map(() => false)
}
