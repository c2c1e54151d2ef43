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
import type { SubmissionError } from './errors.ts'
import { explainSubmission } from './explain-submission.ts'
import { assertPayable, verifyState } from './order-steps.ts'
import { closesAt, readDeposit, readHeight } from './read-deposit.ts'
import { optionsOf, refusalOf, type TransferContext } from './transfer-context.ts'
import type { Refreshing, Signing, Submitting, TransferState, Unwinding } from './transfer-state.ts'

/** What follows from a deposit of the order that the chain knows already. */
async function landed(
  context: TransferContext,
  state: Signing | Submitting | Unwinding,
): Promise<TransferState | undefined> {
  const { deposit } = await readDeposit(context, state, 'confirmed')
  if (deposit.kind === 'absent') return undefined
  if (deposit.kind === 'paid') return deposited(state, deposit.leafIndex)
  // Another's deposit can still be gone with a fork, and ours could have been there before it.
  const final = await readDeposit(context, state, 'finalized')
  if (final.deposit.kind !== 'taken') return undefined
  if (final.clock > closesAt(state.order)) return deposited(state, null)
  return unpaid(state, 'order_id_taken')
}

/** The end of a transfer that paid nothing and can't pay any more. */
function unpaid({ request, order }: Signing | Submitting | Unwinding, code: string): TransferState {
  const { trackingId } = order
  return { step: 'done', request, result: { outcome: 'not_paid', trackingId, code } }
}

/** Without a leaf's index its account may be closed, and the note can't be found again. */
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

/** True once the newest transaction has died by the own node's height, or its authorisation has. */
async function isDead(context: TransferContext, state: Signing | Submitting): Promise<boolean> {
  if ((await readHeight(context)) > BigInt(state.order.lastValidBlockHeight)) return true
  return (await readDeposit(context, state, 'finalized')).clock > BigInt(state.deadAfter)
}

/**
 * Verifies what is to be signed, this very moment, and has it signed. `isFresh` says that this run made
 * the state and that the wallet was not asked since: then a deposit of the order is somebody else's.
 */
export async function signStep(
  context: TransferContext,
  state: Signing,
  isFresh: boolean,
): Promise<TransferState> {
  const known = await landed(context, state)
  if (known !== undefined) return isFresh ? unpaid(state, 'known_order') : known
  if (await isDead(context, state)) return { ...state, step: 'refreshing' }
  const verified = await verifyState(context, state, state.order)
  await assertPayable(context, state)
  const { signature, wire } = await signOrder(verified, context.signer)
  const base64 = wire === undefined ? null : getBase64Decoder().decode(wire)
  return { ...state, step: 'submitting', signature, wire: base64 }
}

/** Submits, again and again, until the deposit is on the chain or its transaction dead. */
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
      // Refused perhaps because another transaction of the order has landed meanwhile.
      const late = await landed(context, state)
      if (late !== undefined) return late
      if (verdict === 'stale') return { ...rest, step: 'refreshing' }
      throw verdict
    }
    await context.host.sleep(context.pollMs, context.signal)
  }
}

const PREFLIGHT_FAILURE = SOLANA_ERROR__JSON_RPC__SERVER_ERROR_SEND_TRANSACTION_PREFLIGHT_FAILURE

/** Why the transaction can't land as it is; undefined where it may, or where no node says anything. */
async function submissionFailure(
  context: TransferContext,
  wire: string,
): Promise<'stale' | SubmissionError | undefined> {
  try {
    await submitOrder(context.rpc, new Uint8Array(getBase64Encoder().encode(wire)))
    return undefined
  } catch (error) {
    // A node that isn't reached, or is busy, has judged nothing.
    if (!isSolanaError(error, PREFLIGHT_FAILURE)) return undefined
    const { cause } = error
    if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__ALREADY_PROCESSED)) return undefined
    if (isSolanaError(cause, SOLANA_ERROR__TRANSACTION_ERROR__BLOCKHASH_NOT_FOUND)) return 'stale'
    return explainSubmission(error)
  }
}

/**
 * Asks for a new transaction of the same order: all of them make the same Order account (I4). Past the
 * order's deadline nobody is asked: none of them can land.
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
    const { terms } = await verifyState(context, { ...state, order: newest }, order)
    const deadAfter = latest(state.deadAfter, terms.validUntil)
    return { ...state, step: 'signing', order: newest, deadAfter }
  } catch (error) {
    const refusal = refusalOf(error)
    const isOver = refusal?.code === 'ORDER_ALREADY_DEPOSITED' || refusal?.retry === 'new_quote'
    if (refusal === undefined || !isOver) throw error
    return { ...state, step: 'unwinding', code: refusal.code }
  }
}

const latest = (before: string, after: bigint): string =>
  BigInt(before) > after ? before : `${after}`

/** Waits until nothing that was signed can land any more: only then may somebody pay again. */
export async function unwindStep(
  context: TransferContext,
  state: Unwinding,
): Promise<TransferState> {
  const { order, code } = state
  for (;;) {
    const known = await landed(context, state)
    if (known !== undefined) return known
    const { clock, deposit } = await readDeposit(context, state, 'finalized')
    // The account of a deposit is closed by now, and only what knows the note's position can find it.
    if (clock > closesAt(order)) return deposited(state, null)
    const isOver = clock > BigInt(state.deadAfter) && deposit.kind === 'absent'
    if (isOver) return unpaid(state, code)
    await context.host.sleep(context.pollMs, context.signal)
  }
}
