import {
  getBase64Decoder,
  getBase64Encoder,
  isSolanaError,
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE,
  SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED,
  SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND,
} from '@solana/kit'
import { signOrder } from '../sign/sign-order.ts'
import { submitOrder } from '../sign/submit-order.ts'
import { secondsOf } from '../verify/expected-terms.ts'
import { OrderRefusedError } from '../verify/refusal.ts'
import type { VerifiedOrder } from '../verify/verified-order.ts'
import type { SubmissionError } from './errors.ts'
import { explainSubmission } from './explain-submission.ts'
import { assertPayable, verifyState } from './order-steps.ts'
import { closesAt, readDeposit, readHeight } from './read-deposit.ts'
import { optionsOf, refusalOf, type TransferContext } from './transfer-context.ts'
import type { Refreshing, Signing, Submitting, TransferState, Unwinding } from './transfer-state.ts'

/**
 * The next state if the chain contains a deposit with the order's id; undefined as long as no such deposit is
 * certain.
 */
async function landed(
  context: TransferContext,
  state: Signing | Submitting | Unwinding,
): Promise<TransferState | undefined> {
  const { deposit } = await readDeposit(context, state, 'confirmed')
  if (deposit.kind === 'absent') return undefined
  if (deposit.kind === 'paid') return deposited(state, deposit.leafIndex)
  // At `confirmed`, the node shows someone else's deposit with the order's id. A fork can still drop that deposit, so
  // read again at `finalized`. From `closesAt` on, our own deposit may have landed and its account may have been
  // closed. Someone else can then use the id for another deposit.
  const final = await readDeposit(context, state, 'finalized')
  if (final.deposit.kind !== 'taken') return undefined
  if (final.clock >= closesAt(state.order)) return deposited(state, null)
  return unpaid(state, 'order_id_taken')
}

/** The final state of a transfer that paid nothing and can't pay any more. */
function unpaid({ request, order }: Signing | Submitting | Unwinding, code: string): TransferState {
  const { trackingId } = order
  return { step: 'done', request, result: { outcome: 'not_paid', trackingId, code } }
}

/**
 * The state after the deposit has landed. `leafIndex` is null if the note's position is unknown, because the account
 * of the deposit may already be closed.
 */
function deposited(
  state: Signing | Submitting | Unwinding,
  leafIndex: bigint | null,
): TransferState {
  const { request, transferId, quote, order } = state
  return {
    ...{ step: 'deposited', request, transferId, quote, order },
    signature: 'signature' in state ? state.signature : null,
    leafIndex: leafIndex === null ? null : `${leafIndex}`,
  }
}

/**
 * True as soon as the caller's own node shows that the newest transaction has expired, or that the service's
 * authorisation in it has expired.
 */
async function isDead(context: TransferContext, state: Signing | Submitting): Promise<boolean> {
  if ((await readHeight(context)) > BigInt(state.order.lastValidBlockHeight)) return true
  return (await readDeposit(context, state, 'finalized')).clock > BigInt(state.deadAfter)
}

/**
 * Verifies the order immediately before signing, and asks the wallet to sign it. `isFresh` means that this run made the
 * state and has not yet asked the wallet to sign. So if a deposit for the order already exists, someone else made it.
 */
export async function signStep(
  context: TransferContext,
  state: Signing,
  isFresh: boolean,
): Promise<TransferState> {
  const known = await landed(context, state)
  if (known !== undefined) return isFresh ? unpaid(state, 'known_order') : known
  if (await isDead(context, state)) return { ...state, step: 'refreshing' }
  const verified = isFresh
    ? await verifyState(context, state, state.order)
    : await verifyAgain(context, state, state.order)
  await assertPayable(context, state)
  const { signature, wire, validUntil } = await signOrder(verified, context.signer)
  const base64 = wire === undefined ? null : getBase64Decoder().decode(wire)
  // The wallet may have signed another transaction of the same swap, whose authorisation lasts longer.
  const deadAfter = latest(state.deadAfter, validUntil)
  return { ...state, step: 'submitting', signature, wire: base64, deadAfter }
}

/** Submits the transaction repeatedly until the deposit is on the chain or the transaction has expired. */
export async function submitStep(
  context: TransferContext,
  state: Submitting,
): Promise<TransferState> {
  const { signature: _signature, wire, ...rest } = state
  for (;;) {
    const known = await landed(context, state)
    if (known !== undefined) return known
    if (await isDead(context, state)) return { ...rest, step: 'refreshing' }
    const verdict = wire === null ? undefined : await submissionFailure(context, wire)
    if (verdict !== undefined) {
      // The node may have refused the transaction because another transaction of the same order has landed.
      const late = await landed(context, state)
      if (late !== undefined) return late
      throw verdict
    }
    await context.host.sleep(context.pollMs, context.signal)
  }
}

const PREFLIGHT_FAILURE = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE

/** The reason why the signed transaction can't land; undefined if it may still land, or if the node gave no verdict. */
async function submissionFailure(
  context: TransferContext,
  wire: string,
): Promise<SubmissionError | undefined> {
  try {
    await submitOrder(context.rpc, new Uint8Array(getBase64Encoder().encode(wire)))
    return undefined
  } catch (error) {
    // A node that is unreachable or busy has not checked the transaction, so its error is no verdict.
    if (!isSolanaError(error, PREFLIGHT_FAILURE)) return undefined
    const { cause } = error
    if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return undefined
    // A node that lags doesn't know a new blockhash yet. Only the height shows that the blockhash has expired.
    if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return undefined
    return explainSubmission(error)
  }
}

/**
 * Asks the service for a new transaction for the same order. All transactions of an order create the same Order
 * account, so only one of them can land (I4). After the order's deadline no transaction can land, so the step requests
 * none.
 */
export async function refreshStep(
  context: TransferContext,
  state: Refreshing,
): Promise<TransferState> {
  const { order } = state
  const { clock } = await readDeposit(context, state, 'finalized')
  if (clock > secondsOf(order.expiration)) {
    return { ...state, step: 'unwinding', code: 'ORDER_EXPIRED' }
  }
  try {
    const newest = await context.service.refresh(order.trackingId, optionsOf(context))
    const { terms } = await verifyAgain(context, { ...state, order: newest }, order)
    const deadAfter = latest(state.deadAfter, terms.validUntil)
    return { ...state, step: 'signing', order: newest, deadAfter }
  } catch (error) {
    const refusal = refusalOf(error)
    // The refusal doesn't end the transfer, because a transaction that was signed earlier may still land.
    if (refusal === undefined || refusal.retry === 'unchanged') throw error
    return { ...state, step: 'unwinding', code: refusal.code }
  }
}

/** Verifies an order again. The wallet may have signed an earlier transaction of the same order. */
async function verifyAgain(
  context: TransferContext,
  state: Refreshing | Signing,
  before: Refreshing['order'],
): Promise<VerifiedOrder> {
  try {
    return await verifyState(context, state, before)
  } catch (error) {
    if (!(error instanceof OrderRefusedError)) throw error
    throw new OrderRefusedError(error.refusals, { cause: error, mayBeSigned: true })
  }
}

const latest = (before: string, after: bigint): string =>
  BigInt(before) > after ? before : `${after}`

/** Waits until no signed transaction of the order can land any more. After that, it is safe to pay again. */
export async function unwindStep(
  context: TransferContext,
  state: Unwinding,
): Promise<TransferState> {
  const { order, code } = state
  for (;;) {
    const known = await landed(context, state)
    if (known !== undefined) return known
    const { clock, deposit } = await readDeposit(context, state, 'finalized')
    // The account of the deposit may be closed by now. If it is closed, the note's position is unknown.
    if (clock >= closesAt(order)) return deposited(state, null)
    const isOver = clock > BigInt(state.deadAfter) && deposit.kind === 'absent'
    if (isOver) return unpaid(state, code)
    await context.host.sleep(context.pollMs, context.signal)
  }
}
