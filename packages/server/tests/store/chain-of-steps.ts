import { amount, NATIVE_MINT, unixSeconds, type Address } from '@sotto/protocol'
import { randomBytes } from 'node:crypto'
import type { FollowedBatch, ClaimedLease } from '../../src/ports/settlement-store.ts'
import type { NewOrder } from '../../src/ports/order-store.ts'
import { ACCOUNT, drawId, EPOCHS, NOW_MS, OTHER_MINT, type Stores } from './open-stores.ts'

export const DEADLINE = unixSeconds(1_800_000_600n)
export const SEALED = new Uint8Array([1, 2, 3])
export const SENDER = 'SysvarRent111111111111111111111111111111111' as Address
export const LEASE_MS = 1_000

/** Draws a leaf that no other order has. */
export const drawLeaf = (): bigint => BigInt(`0x${randomBytes(31).toString('hex')}`)

/** An order as the use case stores it, with the test's changes. */
export function newOrder(changes: Partial<NewOrder> = {}): NewOrder {
  return {
    ...{ id: drawId(), accountId: ACCOUNT, quoteNonce: drawId(), idempotencyKey: undefined },
    ...{ fingerprint: new Uint8Array(64), epoch: EPOCHS[0], reference: undefined },
    ...{ sourceMint: NATIVE_MINT, destinationMint: NATIVE_MINT, sender: SENDER },
    ...{ amountIn: amount(3n), partnerFee: amount(0n), partnerAccount: undefined },
    ...{ value: amount(3n), amountOut: amount(1n), inner: 5n, leaf: drawLeaf() },
    ...{ deadline: DEADLINE, validUntil: DEADLINE, expiry: unixSeconds(DEADLINE + 1_200n) },
    ...{ payload: new Uint8Array(65), lastValidBlockHeight: 100n, sealedTerms: SEALED },
    ...{ sealedResponse: new Uint8Array([4]), createdAtMs: NOW_MS, ...changes },
  }
}

/** Follows a simulated chain, and records one step after another in a store. */
export class ChainOfSteps {
  readonly #stores: Stores
  #slot = 1n
  leaves = 0

  constructor(stores: Stores) {
    this.#stores = stores
  }

  /** Starts with stores that have not followed any chain yet. */
  static async begin(stores: Stores): Promise<ChainOfSteps> {
    await stores.settlement.openCursor(OTHER_MINT, new Uint8Array(32), NOW_MS)
    return new ChainOfSteps(stores)
  }

  /**
   * A step that appends leaves. The leaf of an order is appended together with a deposit. A plain leaf belongs to no
   * order.
   */
  batch(
    appended: readonly (NewOrder | bigint)[],
    changes: Partial<FollowedBatch> = {},
  ): FollowedBatch {
    this.#slot += 1n
    const { keep = this.leaves } = changes
    const leaves = appended.map((one) => (typeof one === 'bigint' ? one : one.leaf))
    const nextLeaf = BigInt(keep + leaves.length)
    return {
      ...{ from: BigInt(this.leaves), isRescan: false, keep, leaves },
      head: {
        ...{ slot: this.#slot, blockHeight: this.#slot, nextLeaf },
        unixSeconds: unixSeconds(DEADLINE - 100n),
      },
      deposits: appended.flatMap((one, place) =>
        typeof one === 'bigint'
          ? []
          : [{ orderId: one.id, leafIndex: keep + place, sealedPlan: SEALED }],
      ),
      ...changes,
    }
  }

  async record(batch: FollowedBatch, nowMs = NOW_MS): Promise<boolean> {
    const isRecorded = await this.#stores.settlement.tryRecord(batch, nowMs)
    if (isRecorded) this.leaves = batch.keep + batch.leaves.length
    return isRecorded
  }

  /** Makes an order whose deposit is recorded. */
  async deposited(changes: Partial<NewOrder> = {}): Promise<Uint8Array> {
    const order = newOrder(changes)
    await this.#stores.orders.tryCreate(order, undefined)
    await this.record(this.batch([order]))
    return order.id
  }

  claim(orderId: Uint8Array, nowMs = NOW_MS): Promise<ClaimedLease | undefined> {
    return this.#stores.settlement.tryClaim(orderId, 'worker', nowMs, nowMs + LEASE_MS)
  }

  async statusOf(orderId: Uint8Array): Promise<string | undefined> {
    return (await this.#stores.orders.readOrder(ACCOUNT, orderId))?.order.status
  }
}
