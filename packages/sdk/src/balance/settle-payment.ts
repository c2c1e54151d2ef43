import type { SignatureRequest } from '@sotto/contract'
import { amount, paymentMessage, signPayment, unixSeconds, type Address } from '@sotto/protocol'
import { refusalOf } from '../transfer/transfer-context.ts'
import { optionsOf, type BalanceContext } from './balance-context.ts'
import { balanceHash } from './balance-hash.ts'
import { hexOf, type BalanceRecord, type SignedPayment } from './balance-state.ts'
import { secondsIn } from './check-payment.ts'
import { BalanceError } from './errors.ts'
import { onPool } from './on-pool.ts'
import { changeAfter, ownNote, readNoteEnd, type OwnNote } from './own-note.ts'
import { recordMoved, recordSpending } from './record-spending.ts'
import { assertNotMade, withLapsed } from './unrecorded.ts'
import { returned } from './unspent-note.ts'

/**
 * Sends the owner's signature to the service. Then waits until the owner's node shows, at a finalized slot, that the
 * payment was made or can't be made any more. In the second case, drops the payment, so that paying again is safe.
 *
 * @param isNew true if this run signed the payment. In that case the node has just shown the note as unspent. Otherwise
 *   the node is asked again before the signature is sent.
 * @throws BalanceError SPENT_ELSEWHERE, PAYMENT_UNCERTAIN, BALANCE_ENDED, and the DisagreementError of `assertNotMade`:
 *   the payment is dropped. After every other error it stays saved: BalanceError PAYMENT_MAY_LAND if the service
 *   doesn't know the payment, or refuses the signature; DisagreementError if the node shows another payee or amount for
 *   a payment that left the signed change, or doesn't show how the note was spent; RecoveryError CHANGE_DIFFERS if the
 *   node shows a payment whose change note doesn't belong to this balance; the errors of the service and the node.
 */
export const settlePayment = (
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  payment: SignedPayment,
  isNew = false,
): Promise<void> => onPool(context, () => settleOnce(context, record, key, payment, isNew))

async function settleOnce(
  context: BalanceContext,
  record: BalanceRecord,
  key: string,
  payment: SignedPayment,
  isNew: boolean,
): Promise<void> {
  const { host, pace, pollMs, signal } = context
  const note = await ownNote(context, record)
  if (`${payment.terms.leafIndex}` !== `${note.leafIndex}`) {
    await recordMoved(record, key, payment)
    return assertPaid(record, key, payment)
  }
  const signed = await signatureOf(context, note, payment)
  const validUntil = secondsIn(payment.terms.validUntil)
  let handedMs: number | undefined
  let isForgotten = false
  for (let isAsked = !isNew; ; isAsked = true) {
    const end = isAsked ? await readNoteEnd(context, note) : undefined
    if (end?.kind === 'refunded') return refund(record, key)
    if (end?.kind === 'paid') {
      if (handedMs !== undefined) pace.ended(host.nowMs(), handedMs)
      await recordSpending(context, record, note, end.found)
      return assertPaid(record, key, payment)
    }
    if (end !== undefined && end.clock > validUntil) {
      return record.savePayment(key, undefined, withLapsed(record, key))
    }
    if (isForgotten) throw mayLand(payment, FORGOTTEN)
    const handed = handedMs === undefined ? await handOver(context, payment, signed) : undefined
    // The payment may have landed before the service forgot it, so read the chain once more.
    isForgotten = handed === 'forgotten'
    if (isForgotten) continue
    const isHandedNow = handed === 'handed'
    if (isHandedNow) handedMs = host.nowMs()
    await host.sleep(isHandedNow ? pace.firstPauseMs(pollMs) : pollMs, signal)
  }
}

async function refund(record: BalanceRecord, key: string): Promise<never> {
  // If the node lied, the payment may have landed. Then `lapsed` prevents other balances from making it again.
  await record.savePayment(key, undefined, withLapsed(record, key))
  throw returned()
}

const FORGOTTEN = 'ORDER_NOT_FOUND'

/** The error if the service answered a payment's signature with this code. */
function mayLand({ terms }: SignedPayment, code: string): BalanceError {
  const until = new Date(Date.parse(terms.validUntil)).toISOString()
  const reason =
    code === FORGOTTEN ? "doesn't know a signed payment" : `refuses a signed payment (${code})`
  const message = `the service ${reason}, which may still land until ${until}: make other payments after that time`
  return new BalanceError('PAYMENT_MAY_LAND', message, until)
}

/**
 * Sends the signature to the service. `handed`: the service has the signature, or doesn't accept it any more.
 * `forgotten`: the service doesn't know the payment. In both cases, only the chain shows whether the payment was made.
 * `unheard`: the signature must be sent again.
 * @throws BalanceError PAYMENT_MAY_LAND if the service refuses the signature, because the service can still use it.
 */
async function handOver(
  context: BalanceContext,
  payment: SignedPayment,
  signed: SignatureRequest,
): Promise<'handed' | 'forgotten' | 'unheard'> {
  try {
    await context.service.signPayment(payment.trackingId, signed, optionsOf(context))
    return 'handed'
  } catch (error) {
    context.signal?.throwIfAborted()
    const refusal = refusalOf(error)
    if (refusal?.code === 'PAYMENT_EXPIRED' || refusal?.code === 'NOTE_IN_USE') return 'handed'
    // If the service didn't respond, it may nevertheless have received the signature. So the loop reads the chain
    // first, and then sends the same signature again.
    if (refusal === undefined || refusal.retry === 'unchanged') return 'unheard'
    if (refusal.code === FORGOTTEN) return 'forgotten'
    throw mayLand(payment, refusal.code)
  }
}

/**
 * Computes the owner's signature. The same note, terms and secret always give the same signature, so the signature
 * isn't saved.
 */
async function signatureOf(
  context: BalanceContext,
  note: OwnNote,
  { request, terms }: SignedPayment,
): Promise<SignatureRequest> {
  const validUntil = unixSeconds(secondsIn(terms.validUntil))
  const rest = { change: amount(BigInt(terms.change)), validUntil }
  const { changeNk, changeLeaf } = await changeAfter(context, note, rest)
  const message = paymentMessage(balanceHash, {
    nullifier: note.nullifier,
    payee: terms.payee as Address,
    payout: amount(BigInt(terms.payout)),
    fee: amount(BigInt(terms.fee)),
    ...{ changeLeaf, validUntil },
  })
  const { S, R8 } = signPayment(balanceHash, note.secret, message)
  const signature = { S: hexOf(S), R8x: hexOf(R8.x), R8y: hexOf(R8.y) }
  return { changeNk: hexOf(changeNk), signature, ...(request.isLast ? { isLast: true } : {}) }
}

/**
 * The other payment that spent the note may have paid the same amount to the same payee with another fee, as
 * `payFromBalance` of `@sotto/recovery` does. In that case the error leaves open whether this payment was made.
 */
function assertPaid(record: BalanceRecord, key: string, { request }: SignedPayment): void {
  if (record.state.payments[key]?.step === 'paid') return
  assertNotMade(record, key, request)
  const message = 'another holder of its secret has spent this note: the payment was not made'
  throw new BalanceError('SPENT_ELSEWHERE', message)
}
