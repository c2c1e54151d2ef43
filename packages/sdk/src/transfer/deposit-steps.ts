import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
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
import { readFinalClock, readHeight, seeDeposit } from './look-at-chain.ts'
import { verifyState } from './order-steps.ts'
import { optionsOf, refusalOf, SubmissionError, type TransferContext } from './transfer-context.ts'
import type { Refreshing, Signing, Submitting, TransferState, Unwinding } from './transfer-state.ts'

/** Where the chain already knows a deposit of the order, what follows from it. */
async function landed(
  context: TransferContext,
  state: Signing | Submitting | Unwinding,
): Promise<TransferState | undefined> {
  const { request, quote, order } = state
  const { trackingId } = order
  const seen = await seeDeposit(context, trackingId, request.senderAddress, 'confirmed')
  if (seen === 'absent') return undefined
  if (seen === 'taken') {
    const result = { outcome: 'not_paid', trackingId, code: 'order_id_taken' } as const
    return { step: 'done', request, result }
  }
  const signature = 'signature' in state ? state.signature : null
  return { step: 'deposited', request, quote, order, signature }
}

/** True once the newest transaction has died by the own node's height, or its authorisation has. */
async function isDead(context: TransferContext, state: Signing | Submitting): Promise<boolean> {
  if ((await readHeight(context)) > BigInt(state.order.lastValidBlockHeight)) return true
  return (await readFinalClock(context)) > BigInt(state.deadAfter)
}

/** Verifies what is to be signed, this very moment, and has it signed. */
export async function signStep(context: TransferContext, state: Signing): Promise<TransferState> {
  const known = await landed(context, state)
  if (known !== undefined) return known
  if (await isDead(context, state)) return { ...state, step: 'refreshing' }
  const verified = await verifyState(context, state, state.order)
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
    const verdict = wire === null ? undefined : await trySubmit(context, wire)
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
async function trySubmit(
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
    return new SubmissionError('the node refuses the signed transaction', { cause: error })
  }
}

/** Asks for a new transaction of the same order: all of them make the same Order account (I4). */
export async function refreshStep(
  context: TransferContext,
  state: Refreshing,
): Promise<TransferState> {
  const { order } = state
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
  const { request, quote, order, code } = state
  const { trackingId } = order
  for (;;) {
    const known = await landed(context, state)
    if (known !== undefined) return known
    // The clock first: a deposit that lands between the two readings is seen.
    const clock = await readFinalClock(context)
    if (clock > secondsOf(order.expiration) + CLOSE_DELAY_SECONDS) {
      // Order accounts are closed by now, and only the service still knows.
      return { step: 'deposited', request, quote, order, signature: null }
    }
    const seen = await seeDeposit(context, trackingId, request.senderAddress, 'finalized')
    if (clock > BigInt(state.deadAfter) && seen === 'absent') {
      return { step: 'done', request, result: { outcome: 'not_paid', trackingId, code } }
    }
    await context.host.sleep(context.pollMs, context.signal)
  }
}
