import type { Quote } from '@sotto/contract'
import { randomId } from '../host/host.ts'
import { parseAmount, type Address } from '@sotto/protocol'
import { assertMinOut } from '../verify/check-quote.ts'
import { assertNewSecret } from '../verify/check-secret.ts'
import { isSwap, type ExpectedPartner, type ExpectedTransfer } from '../verify/expected-transfer.ts'
import { TicketHeldError } from '../tickets/ticket-store.ts'
import { orderIdOf, secondsOf } from '../verify/expected-terms.ts'
import { refuse } from '../verify/refusal.ts'
import type { RefreshedOrder, VerifiedOrder } from '../verify/verified-order.ts'
import { verifyOrder } from '../verify/verify-order.ts'
import { QuoteDeclinedError } from './errors.ts'
import { assertFunds } from './funds.ts'
import { readDeposit } from './read-deposit.ts'
import { optionsOf, refusalOf, type TransferContext } from './transfer-context.ts'
import type {
  Asked,
  Ordered,
  Quoted,
  Signing,
  TransferRequest,
  TransferState,
} from './transfer-state.ts'

/** Quotes, has the quote approved, and orders nothing for a wallet that can't pay. */
export async function quoteStep(context: TransferContext, state: Asked): Promise<TransferState> {
  const { request, transferId } = state
  const { reference: _reference, minOut: _minOut, ...terms } = request
  const minOut = leastOf(request)
  partnerOf(request)
  const quoted = await context.service.quote(terms, optionsOf(context))
  assertPinned(request, quoted.quote)
  if (minOut !== undefined && BigInt(quoted.quote.amountOut) < minOut) {
    throw new QuoteDeclinedError('the quote pays out less than minOut')
  }
  if (!(await context.approve(quoted))) throw new QuoteDeclinedError('the quote was not accepted')
  const { quote, senderMustHold } = quoted
  const next = { step: 'quoted', request, transferId, quote, senderMustHold } as const
  await assertPayable(context, next)
  return next
}

/** @throws InsufficientFundsError if the wallet holds less than the quote said that it must. */
export async function assertPayable(
  { rpc }: TransferContext,
  { request, senderMustHold }: Quoted | Signing,
): Promise<void> {
  if (senderMustHold !== undefined) await assertFunds(rpc, { ...request, senderMustHold })
}

/**
 * The least that must arrive. @throws OrderRefusedError if it is no amount, or missing for a swap, and for
 * a swap that fixes what arrives: nothing would bound what is paid.
 */
function leastOf(request: TransferRequest): bigint | undefined {
  const { sourceAssetId, destinationAssetId, minOut: text } = request
  if (isSwap(request) && request.mode === 'exact_out') {
    return refuse('min_out', 'a swap fixes what is paid: leave out mode, and give minOut')
  }
  const minOut = text === undefined ? undefined : parseAmount(text)
  if (text !== undefined && minOut === undefined) {
    return refuse('min_out', 'minOut must be base units of the destination, as digits')
  }
  assertMinOut({ sourceAssetId, destinationAssetId, minOut })
  return minOut
}

/** The side of the transfer that the request pins must be the quote's. */
function assertPinned({ amount, mode = 'exact_in' }: TransferRequest, quote: Quote): void {
  const pinned = mode === 'exact_in' ? quote.amountIn : quote.amountOut
  if (pinned !== amount || quote.mode !== mode) {
    refuse('quote', 'the quote is not for the amount that was asked for')
  }
}

/**
 * Makes the order. The quote's id is the key, so that every repetition finds the same one; a quote that
 * can't make one any more is replaced, which is safe because nothing was signed.
 */
export async function orderStep(context: TransferContext, state: Quoted): Promise<TransferState> {
  const { request, transferId, quote } = state
  const { senderAddress, recipientAddress, feeBps, feeRecipientAddress, reference } = request
  const terms = { quote, senderAddress, recipientAddress, feeBps, feeRecipientAddress, reference }
  try {
    const order = await context.service.createOrder(terms, optionsOf(context))
    orderIdOf(order.trackingId)
    // This transfer has kept no ticket yet, so that whoever has this one is another.
    if ((await context.tickets.read(order.trackingId)) !== undefined) refuseKnown()
    return { ...state, step: 'ordered', order }
  } catch (error) {
    if (refusalOf(error)?.retry === 'new_quote') return { step: 'asked', request, transferId }
    throw error
  }
}

/** Refuses an order that is not new: what was paid or is being paid is another transfer's. */
function refuseKnown(cause?: unknown): never {
  return refuse('known_order', 'the service answered with the order of another transfer', cause)
}

/** Verifies the order and keeps its ticket, before anything may be signed. */
export async function verifyStep(context: TransferContext, state: Ordered): Promise<Signing> {
  const { terms } = await verifyState(context, state, null)
  const { deposit } = await readDeposit(context, state, 'confirmed')
  if (deposit.kind !== 'absent') refuseKnown()
  return { ...state, step: 'signing', deadAfter: `${terms.validUntil}` }
}

/**
 * Where a saved state goes on. A quote or an order that ended before anything was signed is replaced:
 * `approve` is asked again.
 */
export async function reopen(
  context: TransferContext,
  saved: TransferState,
): Promise<TransferState> {
  const state = named(saved)
  if (state.step !== 'quoted' && state.step !== 'ordered') return state
  const isOver =
    state.step === 'quoted'
      ? context.host.nowMs() > Date.parse(state.quote.expiresAt)
      : (await readDeposit(context, state, 'confirmed')).clock > secondsOf(state.order.expiration)
  const { request, transferId } = state
  return isOver ? { step: 'asked', request, transferId } : state
}

/** Older releases saved no id of the transfer, without which its order could be another's too. */
function named(state: TransferState): TransferState {
  if (state.step === 'done') return state
  return { ...state, transferId: state.transferId ?? randomId() }
}

/**
 * Holds a state's order against its request, and keeps its ticket. `refreshed` is the order that it must
 * be another transaction of; null for a new one.
 */
export async function verifyState(
  context: TransferContext,
  {
    request,
    transferId,
    quote,
    order,
  }: Pick<Ordered, 'request' | 'transferId' | 'quote' | 'order'>,
  refreshed: RefreshedOrder | null,
): Promise<VerifiedOrder> {
  const { rpc, programId, acceptedPrograms, isLocalChain, priorityFeeMaxLamports } = context
  const verified = await verifyOrder({
    ...{ order, quote, refreshed, rpc, programId, acceptedPrograms, isLocalChain },
    expected: expectedOf(request, quote),
    priorityFeeMaxLamports,
  })
  await context.inspect(verified)
  await assertNewSecret(verified, context.tickets)
  try {
    await context.tickets.save(order.trackingId, order.recovery, transferId)
  } catch (error) {
    if (error instanceof TicketHeldError) return refuseKnown(error)
    throw error
  }
  return verified
}

/** What was asked for, with the amounts that were approved. */
function expectedOf(request: TransferRequest, quote: Quote): ExpectedTransfer {
  return {
    sender: request.senderAddress as Address,
    recipient: request.recipientAddress as Address,
    sourceAssetId: request.sourceAssetId as Address,
    destinationAssetId: request.destinationAssetId as Address,
    amountIn: BigInt(quote.amountIn),
    amountOut: BigInt(quote.amountOut),
    minOut: leastOf(request),
    partner: partnerOf(request),
  }
}

/** @throws OrderRefusedError for a share without a wallet: an order could leave it out unseen. */
function partnerOf({
  feeBps = 0,
  feeRecipientAddress,
}: TransferRequest): ExpectedPartner | undefined {
  if (feeBps === 0) return undefined
  if (feeRecipientAddress !== undefined) return { wallet: feeRecipientAddress as Address, feeBps }
  return refuse('partner', 'feeBps needs feeRecipientAddress, the wallet that gets the share')
}
