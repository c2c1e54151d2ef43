import { parseWhole } from '@sotto/protocol'
import type { Address } from '@sotto/protocol'
import { EPOCH_MS } from '../../packages/server/src/domain/epoch.ts'
import { hexOf } from '../../packages/server/src/domain/hex.ts'
import type { Habit } from '../../packages/server/src/domain/observed-deposits.ts'
import type { ShownSettlement } from '../../packages/server/src/domain/observed-market.ts'
import type { OrderEvent } from '../../packages/server/src/domain/order-event.ts'
import type { PriceHour } from '../../packages/server/src/domain/price-hour.ts'
import { isFinal, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { ApiKeyRecord } from '../../packages/server/src/ports/account-store.ts'
import type {
  FollowedHead,
  NewOrder,
  NewPayment,
  StoredOrder,
} from '../../packages/server/src/ports/order-store.ts'
import type { AttemptKind } from '../../packages/server/src/domain/order-state.ts'
import type {
  AssetListing,
  Liquidity,
  ProverReport,
} from '../../packages/server/src/ports/market-store.ts'
import type { Webhook } from '../../packages/server/src/ports/webhook-store.ts'

/** A row of the journal. */
export interface MemoryAttempt {
  readonly number: number
  readonly kind: AttemptKind
  readonly sealed: Uint8Array
  state: 'live' | 'landed' | 'dead'
}

/** An order's settlement state. It is created when work on the order begins. */
export interface MemorySettlement {
  status: OrderStatus
  sealedPlan: Uint8Array | undefined
  sealedOutcome: Uint8Array | undefined
  leaseOwner: string | undefined
  leaseUntilMs: number | undefined
  leaseFence: bigint
  finalHourMs: number | undefined
  readonly attempts: MemoryAttempt[]
}

/**
 * A message to send to a webhook: an order's new status, or the notice of a balance's end. In memory, the message isn't
 * sealed.
 */
export interface MemoryEvent {
  event: OrderEvent
  readonly epoch: number
  readonly hourMs: number
  dueAtMs: number | undefined
  polls: number
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/**
 * A row for an order. It contains the order's settlement state. In PostgreSQL, that state is in another table, under a
 * pseudonym.
 */
export interface MemoryOrder extends Writable<NewOrder> {
  /** After the deposit, stays `deposited` until the order's epoch is cleared. `statusOf` gives the current status. */
  status: OrderStatus
  sealEpoch: number | undefined
  updatedAtMs: number
  isDepositSeen: boolean
  deposit: StoredOrder['deposit']
  leafIndex: number | undefined
  sealedPlan: Uint8Array | undefined
  finalHourMs: number | undefined
  settlement: MemorySettlement | undefined
}

/** A row for a payment, without the columns that describe a deposit. */
export interface MemoryPayment extends Writable<Omit<NewPayment, 'reservations'>> {
  /**
   * After the signature, stays `delivering` until the payment's epoch is cleared. `statusOf` gives the current status.
   */
  status: OrderStatus
  /** Payments are never resealed. */
  readonly sealEpoch: undefined
  updatedAtMs: number
  sealedPlan: Uint8Array | undefined
  finalHourMs: number | undefined
  settlement: MemorySettlement | undefined
}

/** The newest block up to which the service has followed the chain, and the pool that it follows. */
export interface MemoryCursor extends FollowedHead {
  readonly program: Address
  readonly domain: string
  /** Number of leaves recorded so far. */
  readonly nextLeaf: bigint
  readonly slot: bigint
  /**
   * The wall clock's time of the last change of the followed slot. Undefined until the service has followed the chain
   * for the first time.
   */
  readonly followedAtMs: number | undefined
  halted: string | undefined
}

export const keyOf = hexOf

/**
 * Rounds down to the start of the hour. The exact time at which an order became final would reveal the time of its
 * delivery.
 */
export const hourOf = (ms: number): number => ms - (ms % EPOCH_MS)

/** If the wall clock is ahead of the chain's clock by more than this, the wall clock has jumped. */
const AHEAD_MS = 2 * EPOCH_MS

/** The hour in which an order ended, by the wall clock, but at most two hours later than the chain's clock. */
export function endHourOf(nowMs: number, unixSeconds: bigint): number {
  const chainMs = parseWhole(`${unixSeconds * 1_000n}`)
  return hourOf(Math.min(nowMs, chainMs + AHEAD_MS))
}

/**
 * All data of the service, kept only in memory, for simulations. Each store method runs to completion without
 * yielding, so it is atomic like a transaction.
 */
export class MemoryDatabase {
  /** Orders by their id in hex. */
  readonly orders = new Map<string, MemoryOrder>()
  /** Payments out of balances, by their order's id in hex. */
  readonly payments = new Map<string, MemoryPayment>()
  /** For each reserved note or change, by its name in hex: the end of the payment that reserved it. */
  readonly reservedNotes = new Map<string, bigint>()
  /** Number of payments that landed and are complete. */
  paymentsLanded = 0
  /** The leaves in the order of the tree. Only `replaceLeaves` changes them. */
  readonly leaves: bigint[] = []
  readonly #firstIndexes = new Map<bigint, number>()
  readonly #lastIndexes = new Map<bigint, number>()
  readonly assets = new Map<string, AssetListing>()
  readonly apiKeys = new Map<string, ApiKeyRecord>()
  /** Webhooks by their id. */
  readonly webhooks = new Map<string, Webhook>()
  /** Webhook messages to send, by the order's id in hex and the sequence number. */
  readonly outbox = new Map<string, MemoryEvent>()
  /** Allowed fee recipients. Each entry is an account and an address, separated by a space. */
  readonly feeRecipients = new Set<string>()
  /** Number of deposits on the chain that an operator has written off because the service has no key for them. */
  writtenOff = 0
  /** Number of balances whose orders ended although no settlement has spent their newest note. */
  unsettled = 0
  /** For each mint: the greatest amount that the owners of ended balances may still have in the pool, in base units. */
  readonly keptByOwners = new Map<string, bigint>()
  /** Epochs for which the database has the complete list of orders: see `listCompleteEpochs`. */
  completeEpochs: ReadonlySet<number> = new Set()
  cursor: MemoryCursor | undefined
  /** The compute unit price that all transactions of the service offer. */
  price: PriceHour | undefined
  /** The data about settled orders that anyone can read on the chain. */
  readonly shown: ShownSettlement[] = []
  /** Number of deposits from before the run, and number of their settlements. */
  habit: Habit = { deposits: 0, settlements: 0 }
  /** Number of times that the price was replaced with a price computed from recent prices. */
  priceReadings = 0
  /** The workers' findings about the health of the service. */
  liquidity: Liquidity | undefined
  readonly provers = new Map<string, ProverReport>()
  areBooksAgreeing: boolean | undefined

  keep(mint: string, left: bigint, isSettled: boolean): void {
    if (!isSettled) this.unsettled += 1
    this.keptByOwners.set(mint, (this.keptByOwners.get(mint) ?? 0n) + left)
  }

  /** Replaces the leaf at index `from` and all later leaves. */
  replaceLeaves(from: number, leaves: readonly bigint[]): void {
    const isAppended = from === this.leaves.length
    this.leaves.splice(from, Infinity, ...leaves)
    if (!isAppended) {
      this.#firstIndexes.clear()
      this.#lastIndexes.clear()
    }
    for (let index = isAppended ? from : 0; index < this.leaves.length; index += 1) {
      const leaf = this.leaves[index] as bigint
      if (!this.#firstIndexes.has(leaf)) this.#firstIndexes.set(leaf, index)
      this.#lastIndexes.set(leaf, index)
    }
  }

  /** The first index of a leaf in the tree; undefined if the leaf isn't stored. */
  indexOf(leaf: bigint): number | undefined {
    return this.#firstIndexes.get(leaf)
  }

  /** The last index of a leaf in the tree; undefined if the leaf isn't stored. */
  lastIndexOf(leaf: bigint): number | undefined {
    return this.#lastIndexes.get(leaf)
  }

  order(orderId: Uint8Array): MemoryOrder | undefined {
    return this.orders.get(keyOf(orderId))
  }

  payment(orderId: Uint8Array): MemoryPayment | undefined {
    return this.payments.get(keyOf(orderId))
  }

  /** All orders and all payments, with and without a deposit. */
  rows(): (MemoryOrder | MemoryPayment)[] {
    return [...this.orders.values(), ...this.payments.values()]
  }
}

type Side = Pick<MemoryOrder, 'status' | 'settlement'>

/** The current status of an order or a payment, which depends on its settlement state. */
export function statusOf({ status, settlement }: Side): OrderStatus {
  if (settlement === undefined) return status
  if (status === 'deposited') return settlement.status
  if (status !== 'delivering') return status
  return settlement.status === 'deposited' ? status : settlement.status
}

/** The epoch whose key currently seals the order. */
export const epochOf = ({ epoch, sealEpoch }: MemoryOrder | MemoryPayment): number =>
  sealEpoch ?? epoch

/** True if the order's note is in the tree and the order's epoch isn't cleared. */
export const isInTree = ({ status, leafIndex }: MemoryOrder): boolean =>
  status === 'deposited' && leafIndex !== undefined

/** True if the order's note is in the tree and the service knows no settlement of this note. */
export const isOpen = (order: MemoryOrder): boolean => isInTree(order) && !isFinal(statusOf(order))

/** True if the payment is signed and, as far as the service knows, hasn't ended. */
export const isOpenPayment = (payment: MemoryPayment): boolean =>
  payment.status === 'delivering' && !isFinal(statusOf(payment))
