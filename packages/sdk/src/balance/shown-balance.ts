import { decodeTicket, ownerOf, unixSeconds, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { TransferState } from '../transfer/transfer-state.ts'
import {
  ticketWithoutSecret,
  type PaidPayment,
  type SavedBalance,
  type SavedPayment,
  type UnrecordedPayment,
} from './balance-state.ts'
import { nameIn } from './payment-keys.ts'

export interface ShownPayment {
  /** The key that the caller chose; undefined for a line of a list and for the payment that `close` makes. */
  readonly key: string | undefined
  /** True for the payment that `close` makes. */
  readonly isClosing: boolean
  readonly to: string
  /** The requested amount: base units, as a string of digits. */
  readonly amount: string
  readonly mode: 'exact_in' | 'exact_out'
  /** `quoted` means that nothing has been signed. */
  readonly step: 'quoted' | 'signed' | 'paid'
  readonly paid: PaidPayment | undefined
}

/** A balance, as its store records it. The chain may already contain later payments. */
export interface ShownBalance {
  readonly assetId: string
  /** The wallet that paid in. The rest returns to this wallet. */
  readonly senderAddress: string
  /** The state of the deposit's transfer; undefined after the deposit has landed. */
  readonly topUp: TransferState | undefined
  /** The value of the first known note, in base units; 0n before the deposit has landed. */
  readonly paidIn: bigint
  /** The newest note; undefined until the deposit has landed. */
  readonly note: ShownNote | undefined
  readonly payments: readonly ShownPayment[]
  /** See `StoredBalance.unrecorded`. */
  readonly unrecorded: readonly UnrecordedPayment[]
}

export interface ShownNote {
  /** The ticket, including the secret. Anyone who has it can spend the balance. */
  readonly ticket: string
  /** The ticket without the secret. The service receives this ticket with a request for a quote. */
  readonly publicTicket: string
  /** The id of the order that paid in: 32 hex digits. */
  readonly orderId: string
  readonly assetId: string
  readonly senderAddress: string
  /** The note's value, in base units. */
  readonly value: Amount
  /**
   * A payment before this second of the chain's clock can be linked to the top-up by its time. This second is half an
   * hour after the top-up's deadline, or an hour after the deposit if that is later. A ticket alone shows only that the
   * deposit landed before the deadline of the ticket's note. So without the store in which the balance was opened, this
   * second is an hour after that deadline. A payment may have moved that deadline to the beginning (UTC) of the
   * payment's day. In that case, this second is an hour after the beginning of that day, even if the top-up is much
   * older.
   */
  readonly linkableUntil: UnixSeconds
  /** The end of the balance, in seconds since 1970 by the chain's clock. */
  readonly endsAt: UnixSeconds
  /** A payment on a later day (UTC) moves the balance's end to this many seconds after the beginning of that day. */
  readonly lifeSeconds: bigint
}

/**
 * The time of a payment no longer points to the top-up from this many seconds after the deadline of the top-up's order,
 * but not earlier than twice as many seconds after the deposit. The service chooses the deadline, by default 30 to 40
 * minutes after the order. By then, most transfers from the time of the top-up have been delivered. So a settlement no
 * longer suggests that its note was among the newest deposits. Every ticket of the balance contains this deadline, or a
 * later one: the beginning of a day on which the balance paid.
 */
const FRESH_SECONDS = 30n * 60n

/** @param landedBy a second by which the deposit had landed. No deposit lands after its deadline. */
function linkableAfter(deadline: bigint, landedBy = deadline): UnixSeconds {
  const fresh = landedBy < deadline ? landedBy + FRESH_SECONDS : deadline + FRESH_SECONDS
  return unixSeconds((fresh > deadline ? fresh : deadline) + FRESH_SECONDS)
}

/**
 * Reads the text of a store. The function needs no service and no node, and writes nothing.
 * @throws Error if another version of the SDK wrote the balance.
 */
export function shownBalanceIn(text: string): ShownBalance {
  const state = JSON.parse(text) as SavedBalance
  const version: unknown = state.version
  if (version !== 1) throw new Error('the store holds the balance of another version of the SDK')
  const { topUp, ticket, payments, unrecorded = [] } = state
  const note = ticket === null ? undefined : shownNoteOf(state, ticket)
  const request = topUp?.request
  return {
    assetId: note?.assetId ?? request?.sourceAssetId ?? '',
    senderAddress: note?.senderAddress ?? request?.senderAddress ?? '',
    topUp: topUp ?? undefined,
    note,
    paidIn: BigInt(state.paidIn ?? note?.value ?? 0n),
    payments: Object.entries(payments).map(([key, payment]) => shownPaymentOf(key, payment)),
    unrecorded,
  }
}

function shownPaymentOf(stored: string, payment: SavedPayment): ShownPayment {
  const { to, amount, mode = 'exact_out' } = payment.request
  const name = nameIn(stored)
  return {
    key: name.kind === 'single' ? name.key : undefined,
    isClosing: name.kind === 'close',
    ...{ to, amount, mode, step: payment.step },
    paid: payment.step === 'paid' ? payment.paid : undefined,
  }
}

/**
 * The note of this ticket. `linkableUntil` is computed from the top-up's deadline and the time of the deposit, as far
 * as the store contains them.
 * @throws the Error of `shownNoteIn`.
 */
export function shownNoteOf({ firstDeadline, landedBy }: SavedBalance, ticket: string): ShownNote {
  const note = shownNoteIn(ticket)
  if (firstDeadline === undefined) return note
  const by = BigInt(landedBy ?? firstDeadline)
  return { ...note, linkableUntil: linkableAfter(BigInt(firstDeadline), by) }
}

/**
 * The note in a balance's ticket.
 * @throws Error if the text isn't a ticket that contains a balance's secret.
 */
export function shownNoteIn(text: string): ShownNote {
  const ticket = decodeTicket(text, ownerOf)
  if (ticket.secret === undefined) throw new Error("this is not a balance's ticket with its secret")
  const { mint, sender, value, deadline, expiry } = ticket.note
  const hex = Array.from(ticket.orderId, (byte) => byte.toString(16).padStart(2, '0'))
  return {
    ticket: text,
    publicTicket: ticketWithoutSecret(ticket),
    orderId: hex.join(''),
    ...{ assetId: mint, senderAddress: sender, value, endsAt: expiry },
    lifeSeconds: expiry - deadline,
    linkableUntil: linkableAfter(deadline),
  }
}
