import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import type { FollowedBatch, StoredLeaf, Lease } from '../../src/ports/settlement-store.ts'
import type { NewOrder } from '../../src/ports/order-store.ts'
import { ACCOUNT, drawId, EPOCHS, NOW_MS, OTHER_MINT, type Stores } from './open-stores.ts'

export const DEADLINE = 1_800_000_600n
export const SEALED = new Uint8Array([1, 2, 3])
export const SENDER = 'SysvarRent111111111111111111111111111111111' as Address
export const LEASE_MS = 1_000

/** An order as the use case writes it, with the test's changes. */
export function newOrder(changes: Partial<NewOrder> = {}): NewOrder {
  return {
    ...{ id: drawId(), accountId: ACCOUNT, quoteNonce: drawId(), idempotencyKey: undefined },
    ...{ fingerprint: new Uint8Array(64), epoch: EPOCHS[0], reference: undefined },
    ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, sender: SENDER },
    ...{ amountIn: 3n, amountOut: 2n, fee: 1n, partnerFee: 0n, partnerAccount: undefined },
    ...{ deadline: DEADLINE, validUntil: DEADLINE, expiry: DEADLINE + 1_200n, inner: 5n },
    ...{ payload: new Uint8Array(52), lastValidBlockHeight: 100n, sealedTerms: SEALED },
    ...{ sealedResponse: new Uint8Array([4]), createdAtMs: NOW_MS, ...changes },
  }
}

/** Follows an imaginary chain into a store, one step after another. */
export class ChainOfSteps {
  readonly #stores: Stores
  #lastSignature: string | undefined
  #slot = 1n
  leaves = 0

  constructor(stores: Stores) {
    this.#stores = stores
  }

  /** Starts in stores into which nothing has been followed yet. */
  static async begin(stores: Stores): Promise<ChainOfSteps> {
    await stores.settlement.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
    return new ChainOfSteps(stores)
  }

  get lastSignature(): string | undefined {
    return this.#lastSignature
  }

  /** The leaf of an order's deposit in the next step; at the next index by default. */
  leafOf(orderId: Uint8Array, index = this.leaves): StoredLeaf {
    return { index, leaf: BigInt(index + 1), orderId, slot: this.#slot + 1n }
  }

  /** A step that records these leaves, with a deposit for each. */
  batch(leaves: readonly StoredLeaf[], changes: Partial<FollowedBatch> = {}): FollowedBatch {
    this.#slot += 1n
    const lastSignature = randomBytes(8).toString('hex')
    const unixSeconds = DEADLINE - 100n
    const nextLeaf = BigInt(this.leaves + leaves.length)
    return {
      ...{ from: this.#lastSignature, lastSignature, isRescan: false, keep: 0, disowned: [] },
      head: { slot: this.#slot, blockHeight: this.#slot, unixSeconds, nextLeaf },
      leaves,
      deposits: leaves.map(({ orderId, index: leafIndex }) => ({
        ...{ orderId, leafIndex, signature: lastSignature, slot: this.#slot, unixSeconds },
        ...{ sealedPlan: SEALED, adopted: undefined },
      })),
      ...changes,
    }
  }

  async record(batch: FollowedBatch, nowMs = NOW_MS): Promise<boolean> {
    const isRecorded = await this.#stores.settlement.tryRecord(batch, nowMs)
    if (isRecorded) this.#lastSignature = batch.lastSignature
    if (isRecorded)
      this.leaves = batch.isRescan
        ? batch.keep + batch.leaves.length
        : this.leaves + batch.leaves.length
    return isRecorded
  }

  /** An order whose deposit is recorded. */
  async deposited(changes: Partial<NewOrder> = {}): Promise<Uint8Array> {
    const order = newOrder(changes)
    await this.#stores.orders.tryCreate(order, undefined)
    await this.record(this.batch([this.leafOf(order.id)]))
    return order.id
  }

  claim(orderId: Uint8Array, nowMs = NOW_MS): Promise<Lease | undefined> {
    return this.#stores.settlement.tryClaim(orderId, 'worker', nowMs, nowMs + LEASE_MS)
  }

  async statusOf(orderId: Uint8Array): Promise<string | undefined> {
    return (await this.#stores.orders.readOrder(ACCOUNT, orderId))?.order.status
  }
}
