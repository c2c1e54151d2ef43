import type { Quote } from '@sotto/contract'
import { parseAmount, unpackOwner, type Address, type Amount } from '@sotto/protocol'
import { getBase16Encoder } from '@solana/kit'
import { assertMinOut } from '../verify/check-quote.ts'
import { assertNewSecret } from '../verify/check-secret.ts'
import {
  isSwap,
  type ExpectedBalance,
  type ExpectedPartner,
  type ExpectedTransfer,
} from '../verify/expected-transfer.ts'
import { keepTicket, refuseKnown } from '../tickets/keep-ticket.ts'
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

/** Gets a quote and the caller's approval. Throws if the wallet can't pay. */
export async function quoteStep(context: TransferContext, state: Asked): Promise<TransferState> {
  const { request, transferId } = state
  const { reference: _reference, minOut: _minOut, maxFee: _maxFee, ...terms } = request
  const minOut = leastOf(request)
  const maxFee = feeMaxOf(request)
  partnerOf(request)
  const quoted = await context.service.quote(terms, optionsOf(context))
  assertPinned(request, quoted.quote)
  if (minOut !== undefined && BigInt(quoted.quote.amountOut) < minOut) {
    throw new QuoteDeclinedError('the quote pays out less than minOut')
  }
  if (maxFee !== undefined && BigInt(quoted.quote.fee) > maxFee) {
    throw new QuoteDeclinedError("the quote's fee is higher than maxFee")
  }
  if (!(await context.approve(quoted))) throw new QuoteDeclinedError('the quote was not accepted')
  const { quote, senderMustHold, ...answer } = quoted
  const next = { step: 'quoted', request, transferId, quote, senderMustHold, answer } as const
  await assertPayable(context, next)
  return next
}

/** @throws InsufficientFundsError if the wallet holds less than the quote requires. */
export async function assertPayable(
  { rpc }: TransferContext,
  { request, senderMustHold }: Quoted | Signing,
): Promise<void> {
  if (senderMustHold !== undefined) await assertFunds(rpc, { ...request, senderMustHold })
}

/**
 * The minimum amount that must arrive; undefined if the request names none.
 * @throws OrderRefusedError if `minOut` isn't an amount, or if a swap has none. Also throws for a swap with a fixed
 *   output, because nothing would limit what the sender pays.
 */
function leastOf(request: TransferRequest): Amount | undefined {
  const { sourceAssetId, destinationAssetId, minOut: text } = request
  if (isSwap(request) && request.mode === 'exact_out') {
    return refuse('min_out', 'a swap has a fixed input: omit mode, and set minOut')
  }
  const minOut = text === undefined ? undefined : parseAmount(text)
  if (text !== undefined && minOut === undefined) {
    return refuse('min_out', 'minOut must be base units of the destination, as a string of digits')
  }
  assertMinOut({ sourceAssetId, destinationAssetId, minOut })
  return minOut
}

/** The maximum fee of a quote; undefined if the request names none. @throws RangeError if it isn't an amount. */
function feeMaxOf({ maxFee: text }: TransferRequest): Amount | undefined {
  if (text === undefined) return undefined
  const maxFee = parseAmount(text)
  if (maxFee !== undefined) return maxFee
  throw new RangeError('maxFee must be base units of the source, as a string of digits')
}

/** Checks that the quote contains the amount that the request fixes. */
function assertPinned({ amount, mode = 'exact_in' }: TransferRequest, quote: Quote): void {
  const pinned = mode === 'exact_in' ? quote.amountIn : quote.amountOut
  if (pinned !== amount || quote.mode !== mode) {
    refuse('quote', 'the quote is not for the requested amount')
  }
}

/**
 * Makes the order. The quote's id is the idempotency key, so every repeated request returns the same order. If the
 * quote can't become an order any more, the transfer requests a new quote. That is safe, because nothing has been
 * signed.
 */
export async function orderStep(context: TransferContext, state: Quoted): Promise<TransferState> {
  const { request, transferId, quote } = state
  const { senderAddress, recipientAddress, feeBps, feeRecipientAddress, reference } = request
  const { balanceKey, balanceSeconds, autoReturn } = request
  const terms = {
    ...{ quote, senderAddress, recipientAddress, feeBps, feeRecipientAddress, reference },
    ...{ balanceKey, balanceSeconds, autoReturn },
  }
  try {
    const order = await context.service.createOrder(terms, optionsOf(context))
    orderIdOf(order.trackingId)
    // This transfer hasn't saved a ticket yet. So if the store contains a ticket for the order, another transfer
    // saved it.
    if ((await context.tickets.read(order.trackingId)) !== undefined) refuseKnown()
    return { ...state, step: 'ordered', order }
  } catch (error) {
    if (refusalOf(error)?.retry === 'new_quote') return { step: 'asked', request, transferId }
    throw error
  }
}

/** Verifies the order, and saves its ticket before anything may be signed. */
export async function verifyStep(context: TransferContext, state: Ordered): Promise<Signing> {
  const { terms } = await verifyState(context, state, null)
  const { deposit } = await readDeposit(context, state, 'confirmed')
  if (deposit.kind !== 'absent') refuseKnown()
  return { ...state, step: 'signing', deadAfter: `${terms.validUntil}` }
}

/**
 * Prepares a saved state for resuming. If a quote or an order expired before anything was signed, the transfer requests
 * a new quote. Otherwise the caller must accept a saved quote again, because the caller may now decline it.
 * @throws QuoteDeclinedError if the caller declines. Before that, it saves a state without the quote.
 */
export async function reopen(
  context: TransferContext,
  state: TransferState,
  save: (state: TransferState) => Promise<void>,
): Promise<TransferState> {
  if (state.step !== 'quoted' && state.step !== 'ordered') return state
  const isOver =
    state.step === 'quoted'
      ? context.host.nowMs() > Date.parse(state.quote.expiresAt)
      : (await readDeposit(context, state, 'confirmed')).clock > secondsOf(state.order.expiration)
  const { request, transferId, answer, quote, senderMustHold } = state
  const asked: Asked = { step: 'asked', request, transferId }
  if (isOver || answer === undefined || senderMustHold === undefined) return asked
  if (await context.approve({ ...answer, quote, senderMustHold })) return state
  await save(asked)
  throw new QuoteDeclinedError('the quote was not accepted')
}

/**
 * Verifies the state's order against the state's request, and saves the order's ticket. `refreshed` is the order that
 * was verified before, or null for a new order.
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
  await keepTicket(context.tickets, order, transferId)
  return verified
}

/** The transfer that the order is verified against: the request with the approved amounts. */
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
    balance: balanceOf(request),
  }
}

const BALANCE_SECONDS = 2_592_000

/**
 * The balance that the request tops up; undefined for a transfer.
 * @throws OrderRefusedError for an invalid key, or for a balance whose rest would return to another wallet.
 */
function balanceOf(request: TransferRequest): ExpectedBalance | undefined {
  const { balanceKey, balanceSeconds = BALANCE_SECONDS } = request
  if (balanceKey === undefined) return undefined
  const owner = unpackOwner(new Uint8Array(getBase16Encoder().encode(balanceKey)))
  if (owner === undefined) return refuse('ticket', 'balanceKey is not a packed public key')
  if (request.recipientAddress !== request.senderAddress) {
    return refuse('recipient', 'a balance must have its own sender as recipient')
  }
  return { owner, seconds: BigInt(balanceSeconds) }
}

/**
 * The partner's share; undefined if there is none.
 * @throws OrderRefusedError for a share without a wallet. Otherwise an order could omit the share, and no one would
 *   notice.
 */
function partnerOf({
  feeBps = 0,
  feeRecipientAddress,
}: TransferRequest): ExpectedPartner | undefined {
  if (feeBps === 0) return undefined
  if (feeRecipientAddress !== undefined) return { wallet: feeRecipientAddress as Address, feeBps }
  return refuse(
    'partner',
    'feeBps requires feeRecipientAddress, the wallet that receives the share',
  )
}
