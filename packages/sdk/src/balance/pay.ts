import type { Payment, Quote, QuoteResponse } from '@sotto/contract'
import { isAddress, parseAmount, type Ticket, type UnixSeconds } from '@sotto/protocol'
import { refusalOf } from '../transfer/transfer-context.ts'
import { optionsOf, type BalanceContext } from './balance-context.ts'
import {
  ticketWithoutSecret,
  type BalanceRecord,
  type PaidPayment,
  type PaymentRequest,
  type SavedPayment,
} from './balance-state.ts'
import { BusyNote } from './busy-note.ts'
import { checkPayment, secondsIn } from './check-payment.ts'
import { BalanceError, PaymentRefusedError } from './errors.ts'
import { settlePayment } from './settle-payment.ts'
import { isJustPast } from './pace.ts'
import { assertNotMade, withoutChecked, type Checked } from './unrecorded.ts'
import { unspentNote, type UnspentNote } from './unspent-note.ts'

/**
 * Maximum number of signatures that one run makes for a payment. The run signs again only after the chain has proved
 * that the payment can't land with the previous signature any more.
 */
const SIGNATURES_MAX = 3
/**
 * Maximum number of ended quotes for a payment in one run. A quote has ended if it can't become an order any more, or
 * if its order was never signed and can't be paid any more.
 */
const QUOTES_MAX = 5

/**
 * Makes the payment with this key at most once, even if it is called several times. It continues an interrupted
 * payment. It signs again only after a finalized slot has shown that the payment can't land with the previous
 * signature.
 * @param checked the signatures of unrecorded payments like this one that a person has checked. The write that saves
 *   the signed payment deletes these payments from the store. After that write, no signature counts as checked, because
 *   a payment that the node shows later may be the signed one, whatever its signature.
 * @throws BalanceError PAYMENT_UNCERTAIN or DisagreementError if the node shows a payment like this one that the store
 *   has no record of (`assertNotMade`).
 */
export async function payOnce(
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  request: PaymentRequest,
  checked: Checked = [],
): Promise<PaidPayment> {
  assertPayable(record, key, request)
  const note = new BusyNote()
  let [signatures, endedQuotes] = [0, 0]
  let unused = checked
  let shown: ShownNote | undefined
  for (;;) {
    context.signal?.throwIfAborted()
    const saved = record.state.payments[key]
    if (saved?.step === 'paid') return saved.paid
    if (saved?.step === 'signed') {
      await settlePayment(context, record, key, saved, signatures > 0)
      continue
    }
    if (signatures === SIGNATURES_MAX || endedQuotes === QUOTES_MAX) {
      const message = 'the payment expired unpaid several times: try again later'
      throw new BalanceError('PAYMENT_EXPIRED', message)
    }
    if (saved === undefined) {
      shown = await quotePayment(context, record, key, request, unused)
      continue
    }
    if (shown === undefined && !(await approveAgain(context, record, key, saved))) {
      endedQuotes += 1
      continue
    }
    const ordered = await orderAndSign(context, record, key, { saved, checked: unused }, shown)
    shown = undefined
    if (ordered.outcome === 'note_in_use') await note.wait(context, record, ordered.refusal)
    else if (ordered.outcome === 'quote_ended') endedQuotes += 1
    else {
      signatures += 1
      unused = []
    }
  }
}

/** @throws BalanceError KEY_REUSED; RangeError for an invalid request. */
export function assertPayable(record: BalanceRecord, key: string, request: PaymentRequest): void {
  const units = parseAmount(request.amount)
  if (units === undefined || units === 0n) {
    throw new RangeError('the amount must be base units, as a string of digits, more than 0')
  }
  if (!isAddress(request.to)) throw new RangeError('the payee must be an address')
  const former = record.state.payments[key]?.request
  const isSame =
    former === undefined ||
    (former.to === request.to &&
      former.amount === request.amount &&
      (former.mode ?? 'exact_out') === (request.mode ?? 'exact_out'))
  if (!isSame) throw new BalanceError('KEY_REUSED', 'this key already belongs to another payment')
}

/** The balance's note, and the time at which the node was asked for it. */
interface ShownNote {
  readonly note: UnspentNote
  readonly atMs: number
}

/**
 * Gets a quote, and saves it before the order is made. If the process crashes, the next run orders with the same quote
 * id, and gets the same order. Usually the function reads the note from the owner's node before it requests a quote. So
 * the service doesn't learn the payees of a balance that has ended. If the node has just shown the end of the previous
 * payment, the function asks the node and the service at the same time. It never asks the service if the balance is
 * empty.
 */
async function quotePayment(
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  request: PaymentRequest,
  checked: Checked,
): Promise<ShownNote> {
  const atMs = context.host.nowMs()
  const { ticket: newest } = record
  const isSeen = context.pace.hasJustEnded(atMs) && newest.note.value > 0n
  const asked = isSeen ? askQuote(context, newest, request) : undefined
  // If both requests fail, the node's error is thrown. The empty handler prevents a report of the quote's error as
  // unhandled.
  asked?.catch(() => undefined)
  const note = await unspentNote(context, record)
  assertNotMade(record, key, request, checked)
  const { ticket } = note
  const isAsked = asked !== undefined && ticket === newest
  const quoted = await (isAsked ? asked : askQuote(context, ticket, request))
  const balance = ticketWithoutSecret(ticket)
  assertFee(quoted.quote)
  if (!(await context.approve(quoted))) throw declined()
  const { quote, ...answer } = quoted
  await record.savePayment(key, { step: 'quoted', request, quote, answer, balance })
  return { note, atMs }
}

const declined = () => new BalanceError('QUOTE_DECLINED', 'the quote was not accepted')

type Quoted = Extract<SavedPayment, { readonly step: 'quoted' }>

/**
 * Asks the caller again about a quote that an earlier run saved, because the caller may now decline it. Returns false
 * if the payment needs a new quote. A quote that isn't used is dropped. Nothing was signed for it, so it can't be paid.
 * @throws BalanceError QUOTE_DECLINED.
 */
async function approveAgain(
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  { quote, answer, balance }: Quoted,
): Promise<boolean> {
  const isUsable = answer !== undefined && balance === ticketWithoutSecret(record.ticket)
  if (isUsable && (await context.approve({ ...answer, quote }))) return true
  await record.savePayment(key, undefined)
  if (isUsable) throw declined()
  return false
}

function askQuote(
  context: BalanceContext,
  ticket: Ticket,
  request: PaymentRequest,
): Promise<QuoteResponse> {
  const { mint, sender } = ticket.note
  const asked = {
    amount: request.amount,
    mode: request.mode ?? 'exact_out',
    sourceAssetId: mint,
    destinationAssetId: mint,
    senderAddress: sender,
    recipientAddress: request.to,
    balance: ticketWithoutSecret(ticket),
  }
  return context.service.quote(asked, optionsOf(context))
}

/**
 * Checks that a quote's fee is the difference of its amounts, because the caller approves the fee but the balance
 * pays the amounts.
 * @throws PaymentRefusedError.
 */
function assertFee({ fee, amountIn, amountOut }: Quote): void {
  const [stated, paid, arrives] = [fee, amountIn, amountOut].map(parseAmount)
  const isRight =
    stated !== undefined && paid !== undefined && arrives !== undefined && stated === paid - arrives
  if (!isRight)
    throw new PaymentRefusedError([
      'the fee that the quote states differs from the fee that it charges',
    ])
}

/**
 * The result of ordering a payment. After `signed`, the signed payment is saved. After any other outcome, nothing was
 * signed.
 */
type Ordered =
  | { readonly outcome: 'signed' | 'quote_ended' }
  /** Another payment is using the same note, or has spent it. */
  | { readonly outcome: 'note_in_use'; readonly refusal: unknown }

/**
 * Orders the payment, checks the terms that the service asks the owner to sign, and saves these terms before any
 * signature is sent.
 *
 * @param shown the note as the node showed it while the quote was made. If approving the quote took long, the node is
 *   asked again.
 */
async function orderAndSign(
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  { saved, checked }: { readonly saved: Quoted; readonly checked: Checked },
  shown: ShownNote | undefined,
): Promise<Ordered> {
  const { request, quote } = saved
  const isNew = shown !== undefined && isJustPast(shown.atMs, context.host.nowMs())
  const { ticket, leafIndex, clock } = isNew ? shown.note : await unspentNote(context, record)
  assertNotMade(record, key, request, checked)
  const { note } = ticket
  const balance = ticketWithoutSecret(ticket)
  if (saved.balance !== balance) {
    await record.savePayment(key, undefined)
    return { outcome: 'quote_ended' }
  }
  try {
    const { sender: senderAddress } = note
    const asked = { quote, senderAddress, recipientAddress: request.to, balance }
    const order = await context.service.orderPayment(asked, optionsOf(context))
    const { trackingId, payment: terms } = order
    if (shown === undefined && isOver(terms, clock)) {
      await record.savePayment(key, undefined)
      return { outcome: 'quote_ended' }
    }
    // The node may have shown a wrong index. If the index is null, the next try reads it again.
    if (`${terms.leafIndex}` !== `${leafIndex}`) await record.save({ leafIndex: null })
    checkPayment({ request, quote, terms, note, leafIndex, clock })
    const signed = { step: 'signed', request, trackingId, terms } as const
    await record.savePayment(key, signed, withoutChecked(record, request, checked))
    return { outcome: 'signed' }
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal === undefined || refusal.retry === 'unchanged') throw error
    // Nothing has been signed yet. Drop the quote, because the service would refuse it every time.
    await record.savePayment(key, undefined)
    if (refusal.retry !== 'new_quote') throw error
    const isInUse = refusal.code === 'NOTE_IN_USE'
    return isInUse ? { outcome: 'note_in_use', refusal: error } : { outcome: 'quote_ended' }
  }
}

/**
 * True if the payment's last valid second has passed. This happens if an earlier run never got the service's answer to
 * its order: the service then returns the same old order again. The payment needs a new quote. Nothing was signed for
 * the old order, so it can't be paid.
 */
function isOver({ validUntil }: Payment, clock: UnixSeconds): boolean {
  const end = secondsIn(validUntil)
  return end > 0n && end <= clock
}
