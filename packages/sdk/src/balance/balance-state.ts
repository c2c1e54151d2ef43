import type { Payment, Quote, QuoteResponse } from '@sotto/contract'
import {
  bigintFromBytes,
  decodeTicket,
  encodeTicket,
  FIELD_MODULUS,
  ownerOf,
  type Ticket,
} from '@sotto/protocol'
import { secretBytes } from '../host/host.ts'
import type { TransferState } from '../transfer/transfer-state.ts'
import { memoryBalance, type BalanceStore } from './balance-store.ts'
import { BalanceError } from './errors.ts'

export interface PaymentRequest {
  readonly to: string
  /** Base units, as a string of digits. */
  readonly amount: string
  /**
   * `exact_out` (default): the payee receives exactly the amount. `exact_in`: the balance pays exactly the amount,
   * fees included.
   */
  readonly mode?: 'exact_in' | 'exact_out' | undefined
  /**
   * True for the payment that closes the balance. The service never returns the value that this payment leaves in the
   * pool.
   */
  readonly isLast?: true | undefined
  /**
   * For the payment that closes the balance: the base units that the payment leaves in the pool. Only `close` sets
   * this.
   */
  readonly kept?: string | undefined
}

export interface PaidPayment {
  readonly trackingId: string
  /** Base units, as a string of digits. */
  readonly payout: string
  readonly fee: string
  /** The signature of the transaction that made the payment; null if your node no longer has the transaction. */
  readonly signature: string | null
}

/**
 * The steps of a payment:
 *
 *   quoted -> signed -> paid
 *   quoted -> (dropped)        the quote expired, was refused or was declined; nothing was signed
 *   signed -> (dropped)        the payment can't land any more: its last valid second has passed, or another
 *                              settlement spent the note
 */
export type SavedPayment = { readonly request: PaymentRequest } & (
  | {
      readonly step: 'quoted'
      readonly quote: Quote
      /** The rest of the answer to the quote request. Older versions of the SDK didn't save it. */
      readonly answer?: Omit<QuoteResponse, 'quote'> | undefined
      /** The ticket of the note for which the quote was made, without the secret. */
      readonly balance: string
    }
  | { readonly step: 'signed'; readonly trackingId: string; readonly terms: Payment }
  | { readonly step: 'paid'; readonly paid: PaidPayment }
)

export type SignedPayment = Extract<SavedPayment, { readonly step: 'signed' }>

/**
 * A payment out of the balance. The chain shows this payment, but the store has no record of it. Either another holder
 * of the secret made it, or the store was restored from a ticket or from an older copy.
 */
export interface UnrecordedPayment {
  readonly to: string
  /** Base units that the payee received, as a string of digits. */
  readonly payout: string
  /** The transaction; null if the node no longer has it. */
  readonly signature: string | null
}

/** A balance as its store keeps it. */
export interface SavedBalance {
  readonly version: 1
  /** The owner's secret, 64 hex digits. Anyone who has it can spend the balance. */
  readonly secret: string
  /** The deposit's transfer; null after the deposit has landed. */
  readonly topUp: TransferState | null
  /** The value of the first known note, in base units, as a string of digits. */
  readonly paidIn?: string | undefined
  /**
   * The deadline of the first known note, in seconds since 1970, as a string of digits. Later notes may have a later
   * deadline, because a payment can postpone it.
   */
  readonly firstDeadline?: string | undefined
  /**
   * A second by which the deposit had landed, in seconds since 1970 by the chain's clock, as a string of digits.
   * Unknown for a restored balance and in a store that an older version of the SDK wrote. Then only `firstDeadline`
   * limits it.
   */
  readonly landedBy?: string | undefined
  /** The ticket of the newest known note, including the secret; null before the deposit has landed. */
  readonly ticket: string | null
  /** The note's index in the tree; null until the chain has shown it. */
  readonly leafIndex: string | null
  /** The payments by key. At most one of them is signed and not yet paid. */
  readonly payments: Readonly<Record<string, SavedPayment>>
  /**
   * The keys of signed payments that were dropped because the node showed that they couldn't land any more. The node
   * may have been wrong.
   */
  readonly lapsed?: readonly string[] | undefined
  /** The newest mark (`Balance.mark`) of each payment, by key. Payments that were never signed may have marks too. */
  readonly marks?: Readonly<Record<string, string>> | undefined
  /**
   * For each list that several balances pay together: the list's id, and the ids of the orders that opened these
   * balances.
   */
  readonly lists?: Readonly<Record<string, readonly string[]>> | undefined
  /** The payments that the chain shows, although the store has no record of them. */
  readonly unrecorded?: readonly UnrecordedPayment[] | undefined
  /**
   * A random value that each run with several balances writes before it pays. After that write, the store refuses
   * every write by a process that read the store earlier.
   */
  readonly run?: string | undefined
}

const SECRET_BYTES = 32
/** Clears the two highest bits, so that most random draws are below the field's modulus. */
const TOP_BYTE_MASK = 0x3f

/** A random field element as 64 hex digits. */
export function drawSecret(): string {
  for (;;) {
    const bytes = secretBytes(SECRET_BYTES)
    bytes[0] = (bytes[0] ?? 0) & TOP_BYTE_MASK
    const secret = bigintFromBytes(bytes)
    if (secret > 0n && secret < FIELD_MODULUS) return hexOf(secret)
  }
}

/** A field element as 64 hex digits. */
export const hexOf = (element: bigint): string =>
  element.toString(16).padStart(2 * SECRET_BYTES, '0')

export const secretIn = ({ secret }: SavedBalance): bigint => BigInt(`0x${secret}`)

/** The ticket that the service receives. It lacks the secret, so that the service can't make payments. */
export function ticketWithoutSecret({ program, orderId, note }: Ticket): string {
  return encodeTicket({ program, orderId, note })
}

/** A balance's state in memory, as this process last read it from the store or wrote it there. */
export class BalanceRecord {
  readonly #store: BalanceStore
  #text: string | undefined
  #state: SavedBalance
  /** The decoded ticket. It is cached, because decoding takes a multiplication on the curve. */
  #decoded: { readonly text: string; readonly ticket: Ticket } | undefined

  private constructor(store: BalanceStore, text: string | undefined, state: SavedBalance) {
    this.#store = store
    this.#text = text
    this.#state = state
  }

  /**
   * Reads the balance from the store. Undefined if the store is empty.
   * @throws Error if another version of the SDK wrote the balance.
   */
  static async read(store: BalanceStore): Promise<BalanceRecord | undefined> {
    const text = await store.read()
    if (text === undefined) return undefined
    const state = JSON.parse(text) as SavedBalance
    const version: unknown = state.version
    if (version !== 1) throw new Error('the store holds the balance of another version of the SDK')
    return new BalanceRecord(store, text, state)
  }

  /** Writes the first state into an empty store. @throws BalanceTakenError if it isn't empty. */
  static async create(store: BalanceStore, state: SavedBalance): Promise<BalanceRecord> {
    const record = new BalanceRecord(store, undefined, state)
    await record.save({})
    return record
  }

  get state(): SavedBalance {
    return this.#state
  }

  /**
   * The ticket of the newest known note, including the secret.
   * @throws BalanceError NOT_OPENED before the deposit has landed.
   */
  get ticket(): Ticket {
    const { ticket: text } = this.#state
    if (text === null) {
      const message = 'the deposit of this balance has not landed: open it again'
      throw new BalanceError('NOT_OPENED', message)
    }
    if (this.#decoded?.text !== text) this.#decoded = { text, ticket: decodeTicket(text, ownerOf) }
    return this.#decoded.ticket
  }

  /** The payment that is signed and not yet paid, with its key. Undefined if there is none. */
  get signed(): readonly [string, SignedPayment] | undefined {
    for (const [key, payment] of Object.entries(this.#state.payments)) {
      if (payment.step === 'signed') return [key, payment]
    }
    return undefined
  }

  /** A copy of this record. What is saved in the copy doesn't reach the store. */
  copy(): BalanceRecord {
    return new BalanceRecord(memoryBalance(this.#text), this.#text, this.#state)
  }

  /** Resolves once the changed state is stored. Until then, this object keeps the previous state. */
  async save(changed: Partial<SavedBalance>): Promise<void> {
    const state = { ...this.#state, ...changed }
    const text = JSON.stringify(state)
    await this.#store.write(text, this.#text)
    this.#text = text
    this.#state = state
  }

  /** Saves a payment. If `payment` is undefined, drops the payment with this key. */
  async savePayment(
    key: string,
    payment: SavedPayment | undefined,
    more: Partial<SavedBalance> = {},
  ): Promise<void> {
    const { [key]: _former, ...others } = this.#state.payments
    const payments = payment === undefined ? others : { ...others, [key]: payment }
    await this.save({ ...more, payments })
  }
}
