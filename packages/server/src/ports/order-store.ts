import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { OrderStatus } from '../domain/order-state.ts'

/** An order to be inserted, and the data of its first request that is stored with it. */
export interface NewOrder {
  readonly id: Uint8Array
  readonly accountId: string
  readonly quoteNonce: Uint8Array
  /** The idempotency key; undefined if the quoteId serves as the key. */
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Uint8Array
  readonly epoch: number
  readonly reference: string | undefined
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountIn: Amount
  readonly partnerFee: Amount
  /** Value of the note, in base units of the destination; `amountOut` and the settlement's fee add up to it. */
  readonly value: Amount
  readonly amountOut: Amount
  readonly sender: Address
  readonly partnerAccount: Address | undefined
  readonly deadline: UnixSeconds
  /**
   * The time after which no authorisation of the order is valid. For a send, its deadline; for a swap, some minutes
   * after its creation.
   */
  readonly validUntil: UnixSeconds
  readonly expiry: UnixSeconds
  readonly inner: bigint
  /** The leaf that the order's deposit appends to the tree. */
  readonly leaf: bigint
  readonly payload: Uint8Array
  readonly lastValidBlockHeight: bigint
  readonly sealedTerms: Uint8Array
  readonly sealedResponse: Uint8Array
  readonly createdAtMs: number
  /** 16 bytes that identify the network of a send page visitor. */
  readonly network?: Uint8Array | undefined
}

/** An order as it is stored. */
export interface StoredOrder extends Omit<NewOrder, 'network' | 'sealedResponse'> {
  readonly status: OrderStatus
  readonly createdAtMs: number
  /**
   * The time of the last change, never before `createdAtMs`. For a finished order it is not before the hour of the
   * order's end.
   */
  readonly updatedAtMs: number
  readonly isDepositSeen: boolean
  readonly deposit: StoredDeposit | undefined
  readonly sealedPlan: Uint8Array | undefined
  readonly sealedOutcome: Uint8Array | undefined
}

/** A payment out of a balance to be inserted. All its data about the note and the payee is sealed. */
export interface NewPayment extends Pick<
  NewOrder,
  | 'id'
  | 'accountId'
  | 'quoteNonce'
  | 'idempotencyKey'
  | 'fingerprint'
  | 'epoch'
  | 'reference'
  | 'validUntil'
  | 'sealedTerms'
  | 'sealedResponse'
  | 'createdAtMs'
  | 'network'
> {
  /**
   * Names of the note, computed with the keys of this hour and of the hour before. Two live payments never share a
   * name, so a note has at most one live payment.
   */
  readonly reservations: readonly Uint8Array[]
}

/** A payment as it is stored. */
export interface StoredPayment extends Omit<
  NewPayment,
  'network' | 'sealedResponse' | 'reservations'
> {
  readonly status: OrderStatus
  readonly updatedAtMs: number
  /** Undefined until the owner has signed the payment. */
  readonly sealedPlan: Uint8Array | undefined
  readonly sealedOutcome: Uint8Array | undefined
}

/** The columns that are written when the owner signs a payment. */
export interface SignedColumns {
  /**
   * Names of the leaf of the payment's change, computed with the keys of the payment's hour and of the hour before. Two
   * live payments never share such a name.
   */
  readonly changeNames: readonly Uint8Array[]
  readonly sealedTerms: Uint8Array
  readonly sealedPlan: Uint8Array
}

/** A finalized deposit. */
export interface StoredDeposit {
  /** The chain's time, seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** Undefined until the deposit's transaction is found in some node's history. */
  readonly signature: string | undefined
  readonly slot: bigint | undefined
}

/** The head of the followed chain. It determines the client's next action. */
export interface FollowedHead {
  readonly blockHeight: bigint
  readonly unixSeconds: UnixSeconds
}

/** The stored data of a first request. A retry is compared with this data, and the answer is made from this data. */
export interface ReplayRecord {
  readonly id: Uint8Array
  readonly epoch: number
  readonly quoteNonce: Uint8Array
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Uint8Array
  readonly sealedResponse: Uint8Array
}

/**
 * Limits that are checked when an order is inserted. They apply to the sum of this order and all other orders that may
 * still be paid.
 */
export interface OrderRoom {
  /** Maximum number of unpaid orders of the order's account, or of its network if the order names one. */
  readonly ordersMax: number
  /** Undefined for a send, which needs no inventory. */
  readonly swap: SwapRoom | undefined
}

export interface SwapRoom {
  /** The total value of notes that the destination's inventory and cap allow. */
  readonly available: Amount
  /** The part of `available` that the unpaid swaps of the order's account may reserve. */
  readonly accountMax: Amount
  /**
   * The part of `available` that the unpaid swaps of the order's network may reserve; unused if the order names no
   * network.
   */
  readonly networkMax: Amount
  /** Maximum number of unpaid swaps of the order's account, or of its network if the order names one. */
  readonly openSwapsMax: number
  readonly nowSeconds: UnixSeconds
}

export type CreateOutcome =
  'created' | 'taken' | 'no_inventory' | 'too_many_swaps' | 'too_many_unpaid'

export type CreatePaymentOutcome =
  Extract<CreateOutcome, 'created' | 'taken' | 'too_many_unpaid'> | 'note_in_use'

/** `not_awaiting`: the payment has a signature already, or has ended. */
export type SignOutcome = 'signed' | 'not_awaiting' | 'change_in_use'

export interface OrderStore {
  /** The account's orders with this key or this quote: at most one order with the key, and one with the quote. */
  readonly findReplays: (
    accountId: string,
    quoteNonce: Uint8Array,
    idempotencyKey: string | undefined,
  ) => Promise<ReplayRecord[]>
  /**
   * Inserts the order, or nothing; `taken` if another order has its quote or its key. `room` is omitted for orders that
   * were already paid, and then no limits apply.
   */
  readonly tryCreate: (order: NewOrder, room: OrderRoom | undefined) => Promise<CreateOutcome>
  /** Inserts the payment and reserves its note, or does nothing. `ordersMax` has the same meaning as in `OrderRoom`. */
  readonly tryCreatePayment: (
    payment: NewPayment,
    ordersMax: number,
  ) => Promise<CreatePaymentOutcome>
  /**
   * The latest end of all payments that have reserved one of these names, by the chain's clock in seconds.
   * Undefined if there is no such payment.
   */
  readonly readReservedUntil: (names: readonly Uint8Array[]) => Promise<bigint | undefined>
  /** An account's own payment; undefined for another account's payment, and for an order with a deposit. */
  readonly readPayment: (
    accountId: string,
    orderId: Uint8Array,
  ) => Promise<StoredPayment | undefined>
  /** Records the owner's signature and reserves the payment's change until the payment's end, or does nothing. */
  readonly trySign: (
    orderId: Uint8Array,
    signed: SignedColumns,
    nowMs: number,
  ) => Promise<SignOutcome>
  /** An account's own order with a deposit; undefined for another account's order, as if that order didn't exist. */
  readonly readOrder: (
    accountId: string,
    orderId: Uint8Array,
  ) => Promise<{ order: StoredOrder; followed: FollowedHead | undefined } | undefined>
  /** Records a newer transaction of an order; false if the order no longer awaits a deposit. */
  readonly tryRefresh: (
    orderId: Uint8Array,
    lastValidBlockHeight: bigint,
    nowMs: number,
  ) => Promise<boolean>
  /** The account's orders and payments, newest first, starting after the given position. */
  readonly listOrders: (
    accountId: string,
    limit: number,
    after: { readonly createdAtMs: number; readonly id: Uint8Array } | undefined,
  ) => Promise<(StoredOrder | StoredPayment)[]>
}
