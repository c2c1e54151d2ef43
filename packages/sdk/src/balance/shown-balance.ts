import { decodeTicket, ownerOf, unixSeconds, type Amount, type UnixSeconds } from '@sotto/protocol'
import type { TransferState } from '../transfer/transfer-state.ts'
import { ticketWithoutSecret, type PaidPayment, type SavedBalance } from './balance-state.ts'
import { keyIn, CLOSING } from './payment-keys.ts'

/** A payment as the store has it. */
export interface ShownPayment {
  /** The caller's own key; undefined for a line of a list and for the return of the rest. */
  readonly key: string | undefined
  /** True for the payment that `close` makes. */
  readonly isClosing: boolean
  readonly to: string
  /** Base units as digits, as requested. */
  readonly amount: string
  readonly mode: 'exact_in' | 'exact_out'
  /** `quoted`: nothing was signed. */
  readonly step: 'quoted' | 'signed' | 'paid'
  readonly paid: PaidPayment | undefined
}

/** A balance as its store has it. The chain may be ahead of the store. */
export interface ShownBalance {
  readonly assetId: string
  /** The wallet that paid in. The rest returns to it. */
  readonly senderAddress: string
  /** The deposit's progress; undefined once it has landed. */
  readonly topUp: TransferState | undefined
  /** The value of the first known note, base units; 0n before the deposit has landed. */
  readonly paidIn: bigint
  /** The newest note; undefined until the deposit has landed. */
  readonly note: ShownNote | undefined
  readonly payments: readonly ShownPayment[]
}

export interface ShownNote {
  /** The ticket with the secret. Its holder can spend the balance. */
  readonly ticket: string
  /** The ticket without the secret, as the service gets it for a quote. */
  readonly publicTicket: string
  /** The id of the order that paid in: 32 hex digits. */
  readonly orderId: string
  readonly assetId: string
  readonly senderAddress: string
  /** Base units. */
  readonly value: Amount
  /**
   * Before this second of the chain's clock, the time of a payment points to the top-up. It is computed from the
   * top-up's deadline, which a store contains. A ticket alone contains only its note's deadline, and a payment may have
   * moved that to the beginning of a day. Then this is half an hour after that midnight, however long ago the top-up
   * was.
   */
  readonly linkableUntil: UnixSeconds
  /** Seconds since 1970 by the chain's clock. */
  readonly endsAt: UnixSeconds
  /** A payment on a later day (UTC) moves the end to this many seconds after the beginning of that day. */
  readonly lifeSeconds: bigint
}

/**
 * Seconds from the deadline of the top-up's order until payments no longer point to the top-up. By default the deadline
 * is 30 to 40 minutes after the order, so these seconds end an hour or more after the top-up. Few transfers that were
 * deposited together with the top-up then still wait for delivery, so a settlement no longer points to the newest
 * deposits. Every ticket of the balance contains this deadline, or the later beginning of a day on which the balance
 * paid.
 */
const FRESH_SECONDS = 30n * 60n

const linkableAfter = (deadline: bigint): UnixSeconds => unixSeconds(deadline + FRESH_SECONDS)

/**
 * Reads a store's text. It needs no service and no node, and changes nothing. @throws Error for another version's
 * balance.
 */
export function shownBalanceIn(text: string): ShownBalance {
  const state = JSON.parse(text) as SavedBalance
  const version: unknown = state.version
  if (version !== 1) throw new Error('the store holds the balance of another version of the SDK')
  const { topUp, ticket, payments } = state
  const note = ticket === null ? undefined : shownNoteOf(state, ticket)
  const request = topUp?.request
  return {
    assetId: note?.assetId ?? request?.sourceAssetId ?? '',
    senderAddress: note?.senderAddress ?? request?.senderAddress ?? '',
    topUp: topUp ?? undefined,
    note,
    paidIn: BigInt(state.paidIn ?? note?.value ?? 0n),
    payments: Object.entries(payments).map(([key, { request: asked, ...payment }]) => ({
      ...{ key: keyIn(key), isClosing: key === CLOSING },
      ...{ to: asked.to, amount: asked.amount, mode: asked.mode ?? 'exact_out' },
      step: payment.step,
      paid: payment.step === 'paid' ? payment.paid : undefined,
    })),
  }
}

/** The note of this ticket. The store adds the deadline of the top-up. @throws Error as `shownNoteIn`. */
export function shownNoteOf({ firstDeadline }: SavedBalance, ticket: string): ShownNote {
  const note = shownNoteIn(ticket)
  if (firstDeadline === undefined) return note
  return { ...note, linkableUntil: linkableAfter(BigInt(firstDeadline)) }
}

/** The note that a balance's ticket describes. @throws Error if the text isn't a ticket with a balance's secret. */
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
