import type { Address, Amount, UnixSeconds } from '@sotto/protocol'
import type { OrderStatus } from '../domain/order-state.ts'

/** An order to be inserted. Its row also stores data of the request that creates the order. */
export interface NewOrder {
  readonly id: Uint8Array
  readonly accountId: string
  readonly quoteNonce: Uint8Array
  /**
   * The idempotency key, as `storedKey` writes it; undefined if the client sent no key. The quoteId then serves as the
   * key.
   */
  readonly idempotencyKey: string | undefined
  readonly fingerprint: Uint8Array
  readonly epoch: number
  readonly reference: string | undefined
  readonly sourceMint: Address
  readonly destinationMint: Address
  readonly amountIn: Amount
  readonly partnerFee: Amount
  /**
   * Value of the note, in base units of the destination asset. It is the sum of `amountOut` and the settlement's fee.
   */
  readonly value: Amount
  readonly amountOut: Amount
  readonly sender: Address
  readonly partnerAccount: Address | undefined
  readonly deadline: UnixSeconds
  /**
   * The time after which no authorisation of the order is valid. For a send, it is the order's deadline. For a swap, it
   * is a few minutes after the order's creation.
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
  /**
   * 16 bytes that identify the network of a visitor of the send page; undefined for an order that was made with an API
   * key.
   */
  readonly network?: Uint8Array | undefined
}

/** An order as it is stored in the database. */
export interface StoredOrder extends Omit<NewOrder, 'network' | 'sealedResponse'> {
  readonly status: OrderStatus
  readonly createdAtMs: number
  /**
   * The time of the order's last update, never earlier than `createdAtMs`. For a finished order, it is never earlier
   * than the start of the hour in which the order ended.
   */
  readonly updatedAtMs: number
  readonly isDepositSeen: boolean
  readonly deposit: StoredDeposit | undefined
  readonly sealedPlan: Uint8Array | undefined
  readonly sealedOutcome: Uint8Array | undefined
}

/** A payment to be inserted, which is made out of a balance. All data about the note and the payee is sealed. */
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
   * Names of the note that the payment spends, computed with the keys of the payment's hour and of the hour before. Two
   * live payments never share a name, so a note has at most one live payment.
   */
  readonly reservations: readonly Uint8Array[]
}

/** A payment as it is stored in the database. */
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

/** The columns that are written when the owner has signed a payment. */
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
  /** The chain's time of the deposit, in seconds since 1970. */
  readonly unixSeconds: UnixSeconds
  /** Undefined until the deposit's transaction is found in some node's history. */
  readonly signature: string | undefined
  readonly slot: bigint | undefined
}

/** The head of the followed chain. The client's next action depends on it. */
export interface FollowedHead {
  readonly blockHeight: bigint
  readonly unixSeconds: UnixSeconds
}

/**
 * The stored data of the request that created an order. A retry of this request is compared with this data, and its
 * answer is made from this data.
 */
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
  /**
   * Maximum number of unpaid orders. They are counted for the order's network if it has one, otherwise for its account.
   */
  readonly ordersMax: number
  /**
   * The chain's clock at a finalized slot. Orders whose last authorisation ended before this time can't be paid any
   * more, so they don't count, even if they haven't expired yet. If undefined, they count until they expire.
   */
  readonly endedBefore?: UnixSeconds | undefined
  /** Undefined for a send, which needs no inventory. */
  readonly swap: SwapRoom | undefined
}

export interface SwapRoom {
  /** The total value of notes that the destination asset's inventory and cap allow. */
  readonly available: Amount
  /** Maximum part of `available` that unpaid swaps of the order's account may reserve. */
  readonly accountMax: Amount
  /**
   * Maximum part of `available` that unpaid swaps of the order's network may reserve; unused if the order has no
   * network.
   */
  readonly networkMax: Amount
  /**
   * Maximum number of unpaid swaps. They are counted for the order's network if it has one, otherwise for its account.
   */
  readonly openSwapsMax: number
  readonly nowSeconds: UnixSeconds
}

export type CreateOutcome =
  | 'created'
  | 'taken'
  | 'no_inventory'
  | 'too_many_swaps'
  | 'too_many_unpaid'

export type CreatePaymentOutcome =
  | Extract<CreateOutcome, 'created' | 'taken' | 'too_many_unpaid'>
  | 'note_in_use'

/** `not_awaiting`: the payment already has a signature, or it has ended. */
export type SignOutcome = 'signed' | 'not_awaiting' | 'change_in_use'

export interface OrderStore {
  /**
   * Finds the account's orders with this key or this quote: at most one order with the key, and at most one with the
   * quote.
   */
  readonly findReplays: (
    accountId: string,
    quoteNonce: Uint8Array,
    idempotencyKey: string | undefined,
  ) => Promise<ReplayRecord[]>
  /**
   * Inserts the order. Inserts nothing and returns `taken` if another order has the same quote or the same key. `room`
   * is undefined for an order that was already paid. No limits apply to such an order.
   */
  readonly tryCreate: (order: NewOrder, room: OrderRoom | undefined) => Promise<CreateOutcome>
  /**
   * Inserts the payment and reserves its note. Does nothing if the outcome isn't `created`. `ordersMax` and
   * `endedBefore` have the same meaning as in `OrderRoom`.
   */
  readonly tryCreatePayment: (
    payment: NewPayment,
    ordersMax: number,
    endedBefore?: UnixSeconds,
  ) => Promise<CreatePaymentOutcome>
  /**
   * Reads the latest end of the payments that have reserved one of these names, in seconds of the chain's clock.
   * Undefined if no payment has reserved such a name.
   */
  readonly readReservedUntil: (names: readonly Uint8Array[]) => Promise<bigint | undefined>
  /** Reads a payment of the account; undefined for another account's payment, and for a transfer or a top-up. */
  readonly readPayment: (
    accountId: string,
    orderId: Uint8Array,
  ) => Promise<StoredPayment | undefined>
  /**
   * Records the owner's signature, and reserves the payment's change until the payment ends. Does nothing if the
   * outcome isn't `signed`.
   */
  readonly trySign: (
    orderId: Uint8Array,
    signed: SignedColumns,
    nowMs: number,
  ) => Promise<SignOutcome>
  /** Reads a transfer or a top-up of the account; undefined for another account's order, as if it didn't exist. */
  readonly readOrder: (
    accountId: string,
    orderId: Uint8Array,
  ) => Promise<{ order: StoredOrder; followed: FollowedHead | undefined } | undefined>
  /** Records a newer transaction of an order; false if the order isn't awaiting a deposit any more. */
  readonly tryRefresh: (
    orderId: Uint8Array,
    lastValidBlockHeight: bigint,
    nowMs: number,
  ) => Promise<boolean>
  /** Lists the account's orders and payments, newest first. Starts after the position `after`, if it is given. */
  readonly listOrders: (
    accountId: string,
    limit: number,
    after: { readonly createdAtMs: number; readonly id: Uint8Array } | undefined,
  ) => Promise<(StoredOrder | StoredPayment)[]>
}
