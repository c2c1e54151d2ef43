import type { Address } from '@sotto/protocol'
import type { OrderStatus } from '../domain/order-state.ts'

/** An order to be inserted, with everything that the first request leaves behind. */
export interface NewOrder {
  readonly id: Uint8Array
  readonly accountId: string
  readonly quoteNonce: Uint8Array
  /** Undefined where the quoteId serves as the key. */
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Uint8Array
  readonly epoch: number
  readonly reference: string | undefined
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly fee: bigint
  readonly partnerFee: bigint
  readonly sender: Address
  readonly partnerAccount: Address | undefined
  readonly deadline: bigint
  /** No authorisation of the order is valid any later: a send's deadline, minutes for a swap. */
  readonly validUntil: bigint
  readonly expiry: bigint
  readonly inner: bigint
  readonly payload: Uint8Array
  readonly lastValidBlockHeight: bigint
  readonly sealedTerms: Uint8Array
  readonly sealedResponse: Uint8Array
  readonly createdAtMs: number
  /** 16 bytes that stand for the network of a send page's visitor. */
  readonly network?: Uint8Array | undefined
}

/** An order as it is stored. */
export interface StoredOrder extends Omit<NewOrder, 'network' | 'sealedResponse'> {
  readonly status: OrderStatus
  readonly createdAtMs: number
  /** Never before `createdAtMs`; of an order that ended, at least its last hour. */
  readonly updatedAtMs: number
  readonly isDepositSeen: boolean
  readonly deposit:
    { readonly signature: string; readonly slot: bigint; readonly unixSeconds: bigint } | undefined
  readonly sealedPlan: Uint8Array | undefined
  readonly sealedOutcome: Uint8Array | undefined
}

/** Where the followed chain stands, which decides what a client should do next. */
export interface FollowedHead {
  readonly blockHeight: bigint
  readonly unixSeconds: bigint
}

/** What a retry is compared with and answered from. */
export interface ReplayRecord {
  readonly id: Uint8Array
  readonly epoch: number
  readonly quoteNonce: Uint8Array
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Uint8Array
  readonly sealedResponse: Uint8Array
}

/** What an order must fit into beside others that may still be paid; the inserting transaction decides. */
export interface OrderRoom {
  /** Most unpaid orders of its account, or of its network if it names one. */
  readonly ordersMax: number
  /** Undefined for a send, which its own deposit covers. */
  readonly swap: SwapRoom | undefined
}

export interface SwapRoom {
  /** What the destination's inventory and cap leave in all. */
  readonly available: bigint
  /** Most of it that the unpaid swaps of the order's account may hold back. */
  readonly accountMax: bigint
  /** Most of it that those of the order's network may hold back, if it names one. */
  readonly networkMax: bigint
  /** Most unpaid swaps of its account, or of its network if it names one. */
  readonly openSwapsMax: number
  readonly nowSeconds: bigint
}

export type CreateOutcome =
  'created' | 'taken' | 'no_inventory' | 'too_many_swaps' | 'too_many_unpaid'

export interface OrderStore {
  /** Orders of the account with this key or this quote: at most one of each. */
  readonly findReplays: (
    accountId: string,
    quoteNonce: Uint8Array,
    idempotencyKey: string | undefined,
  ) => Promise<ReplayRecord[]>
  /**
   * Inserts the order, or nothing; `taken` where its quote or its key has an order. Without a room nothing bounds
   * it: for orders that were paid already.
   */
  readonly tryCreate: (order: NewOrder, room: OrderRoom | undefined) => Promise<CreateOutcome>
  /** An account's own order; another's is undefined as if it didn't exist. */
  readonly readOrder: (
    accountId: string,
    orderId: Uint8Array,
  ) => Promise<{ order: StoredOrder; followed: FollowedHead | undefined } | undefined>
  /** Records a newer transaction of an order; false where it waits for no deposit any more. */
  readonly tryRefresh: (
    orderId: Uint8Array,
    lastValidBlockHeight: bigint,
    nowMs: number,
  ) => Promise<boolean>
  /** The account's orders, newest first, from behind a position on. */
  readonly listOrders: (
    accountId: string,
    limit: number,
    after: { readonly createdAtMs: number; readonly id: Uint8Array } | undefined,
  ) => Promise<StoredOrder[]>
}
