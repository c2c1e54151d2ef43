import { parseWhole } from '@sotto/protocol'
import type { Address } from '@sotto/protocol'
import { EPOCH_MS } from '../../packages/server/src/domain/epoch.ts'
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

/** An order's settlement state, created when work on it begins. */
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

/** A status change to send, stored in the clear instead of sealed. */
export interface MemoryEvent {
  event: OrderEvent
  readonly epoch: number
  readonly hourMs: number
  dueAtMs: number | undefined
  polls: number
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

/** An order's row. It links directly to its settlement state, without a pseudonym. */
export interface MemoryOrder extends Writable<NewOrder> {
  /** Stays `deposited` until its epoch is cleared, independent of the order's current status. */
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

/** A payment's row, without columns that describe a deposit. */
export interface MemoryPayment extends Writable<Omit<NewPayment, 'reservations'>> {
  /** Stays `delivering` after its signature until its epoch is cleared. */
  status: OrderStatus
  /** Payments are never resealed. */
  readonly sealEpoch: undefined
  updatedAtMs: number
  sealedPlan: Uint8Array | undefined
  finalHourMs: number | undefined
  settlement: MemorySettlement | undefined
}

/** The head up to which the chain has been followed, and the pool. */
export interface MemoryCursor extends FollowedHead {
  readonly program: Address
  readonly domain: string
  /** Number of leaves recorded so far. */
  readonly nextLeaf: bigint
  readonly slot: bigint
  /** Undefined until the chain is followed for the first time. */
  readonly followedAtMs: number | undefined
  halted: string | undefined
}

export const keyOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** The start of the hour. The exact time at which an order became final would reveal the time of its delivery. */
export const hourOf = (ms: number): number => ms - (ms % EPOCH_MS)

/** If an end is later than the chain's clock by this much, the wall clock has jumped ahead. */
const AHEAD_MS = 2 * EPOCH_MS

/** The hour of an end by the wall clock, but at most two hours later than the chain's clock. */
export function endHourOf(nowMs: number, unixSeconds: bigint): number {
  const chainMs = parseWhole(`${unixSeconds * 1_000n}`)
  return hourOf(Math.min(nowMs, chainMs + AHEAD_MS))
}

/**
 * All data of the service, kept only in this process's memory, for simulations. Each store method runs to
 * completion without yielding, so it is a transaction.
 */
export class MemoryDatabase {
  /** By the order's id in hex. */
  readonly orders = new Map<string, MemoryOrder>()
  /** Payments out of balances, by the order's id in hex. */
  readonly payments = new Map<string, MemoryPayment>()
  /** The end of the payment that reserved a note, by the note's name in hex. */
  readonly reservedNotes = new Map<string, bigint>()
  /** Payments that landed and are complete. */
  paymentsLanded = 0
  /** The leaves in the order of the tree. Only `replaceLeaves` changes them. */
  readonly leaves: bigint[] = []
  readonly #firstIndexes = new Map<bigint, number>()
  readonly #lastIndexes = new Map<bigint, number>()
  readonly assets = new Map<string, AssetListing>()
  readonly apiKeys = new Map<string, ApiKeyRecord>()
  /** By id. */
  readonly webhooks = new Map<string, Webhook>()
  /** By the order's id in hex and the sequence. */
  readonly outbox = new Map<string, MemoryEvent>()
  /** Account and address, with a space between them. */
  readonly feeRecipients = new Set<string>()
  /** Deposits on the chain that an operator has written off because no key opens them. */
  writtenOff = 0
  /** Number of balances whose orders ended although their newest note isn't spent. */
  unsettled = 0
  /** By mint: the most that the owners of ended balances may still have in the pool, in base units. */
  readonly keptByOwners = new Map<string, bigint>()
  /** Epochs whose list of orders is complete: see `listCompleteEpochs`. */
  completeEpochs: ReadonlySet<number> = new Set()
  cursor: MemoryCursor | undefined
  /** The price that all transactions offer for priority. */
  price: PriceHour | undefined
  /** The facts that the chain showed about settled orders. */
  readonly shown: ShownSettlement[] = []
  /** Earlier deposits, from before the run, and how many of them were settled. */
  habit: Habit = { deposits: 0, settlements: 0 }
  /** Number of times that recent prices replaced the price. */
  priceReadings = 0
  /** Workers' findings about the health of the service. */
  liquidity: Liquidity | undefined
  readonly provers = new Map<string, ProverReport>()
  areBooksAgreeing: boolean | undefined

  keep(mint: string, left: bigint, isSettled: boolean): void {
    if (!isSettled) this.unsettled += 1
    this.keptByOwners.set(mint, (this.keptByOwners.get(mint) ?? 0n) + left)
  }

  /** Replaces all leaves from an index on. */
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

  /** The first index of a leaf; undefined if the leaf isn't stored. */
  indexOf(leaf: bigint): number | undefined {
    return this.#firstIndexes.get(leaf)
  }

  /** The last index of a leaf; undefined if the leaf isn't stored. */
  lastIndexOf(leaf: bigint): number | undefined {
    return this.#lastIndexes.get(leaf)
  }

  order(orderId: Uint8Array): MemoryOrder | undefined {
    return this.orders.get(keyOf(orderId))
  }

  payment(orderId: Uint8Array): MemoryPayment | undefined {
    return this.payments.get(keyOf(orderId))
  }

  /** All rows, whether they have a deposit or not. */
  rows(): (MemoryOrder | MemoryPayment)[] {
    return [...this.orders.values(), ...this.payments.values()]
  }
}

type Side = Pick<MemoryOrder, 'status' | 'settlement'>

/** The status of an order or a payment, including its settlement state. */
export function statusOf({ status, settlement }: Side): OrderStatus {
  if (settlement === undefined) return status
  if (status === 'deposited') return settlement.status
  if (status !== 'delivering') return status
  return settlement.status === 'deposited' ? status : settlement.status
}

/** The epoch whose key currently seals the order. */
export const epochOf = ({ epoch, sealEpoch }: MemoryOrder | MemoryPayment): number =>
  sealEpoch ?? epoch

/** True if the order's note is in the tree and its epoch isn't cleared. */
export const isInTree = ({ status, leafIndex }: MemoryOrder): boolean =>
  status === 'deposited' && leafIndex !== undefined

/** True if the order's note is in the tree and not known to be settled. */
export const isOpen = (order: MemoryOrder): boolean => isInTree(order) && !isFinal(statusOf(order))

/** True for a signed payment that isn't known to have ended. */
export const isOpenPayment = (payment: MemoryPayment): boolean =>
  payment.status === 'delivering' && !isFinal(statusOf(payment))
