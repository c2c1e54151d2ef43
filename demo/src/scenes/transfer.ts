import { decodeTicket, NATIVE_MINT } from '@sotto/protocol'
import type { Address, KeyPairSigner } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { assertQuote } from '../market-terms.ts'
import type { Order, Quote, Status, TransferRequest } from '../service-api.ts'
import type { Stage } from '../stage.ts'

const POLL_MS = 300
/**
 * The time limit of a delivery, in milliseconds. A delivery waits for the finality of the deposit, for a delay of at
 * most 2 s, for a proof, and for its own finality. On a public cluster each finality takes about 15 s. The limit is
 * long enough for a busy machine.
 */
const PATIENCE_MS = 180_000

export interface Ordered {
  readonly request: TransferRequest
  readonly quote: Quote
  readonly order: Order
  readonly key: string
  /** The exact bytes of the response. */
  readonly bytes: string
}

/** Requests a quote and orders it, as a partner's backend does. */
export async function orderTransfer(stage: Stage, request: TransferRequest): Promise<Ordered> {
  stage.progress.doing('asking for a quote')
  const { quote, privacy } = await stage.api.quote(request)
  assertQuote(request, quote)
  stage.progress.done(
    `quoted: the sender pays ${quote.amountIn}, the recipient gets ${quote.amountOut}, fee ${quote.fee}, ` +
      `anonymity set ${privacy.anonymitySet}`,
  )
  const key = randomUUID()
  const { body, bytes } = await stage.api.order(quote, request, key)
  stage.progress.done(`ordered ${body.order.trackingId}`)
  return { request, quote, order: body.order, key, bytes }
}

/** The delays that a quote may request, in seconds. */
export interface Delays {
  readonly minDelaySeconds: number
  readonly maxDelaySeconds: number
}

/** Delays of one to two seconds, so that a run takes little time. Delays this short hide nothing. */
export const SHORT_DELAYS: Delays = { minDelaySeconds: 1, maxDelaySeconds: 2 }

/** Orders a SOL send, exact_in, between two new wallets. Their names start with `occasion`. */
export async function orderSolSend(
  stage: Stage,
  occasion: string,
  delays: Delays = SHORT_DELAYS,
): Promise<{ readonly sender: KeyPairSigner; readonly ordered: Ordered }> {
  const sender = await stage.wallet(`sender, ${occasion}`, { lamports: stage.sizes.solHeld })
  const recipient = await stage.wallet(`recipient, ${occasion}`)
  const ordered = await orderTransfer(stage, {
    amount: String(stage.sizes.solSent),
    sourceAssetId: NATIVE_MINT,
    destinationAssetId: NATIVE_MINT,
    senderAddress: sender.address,
    recipientAddress: recipient.address,
    ...delays,
  })
  return { sender, ordered }
}

/** An order whose deposit has landed. */
export interface Placed extends Ordered {
  readonly name: string
  readonly depositSignature: string
}

/** Orders a SOL send between two new wallets, and pays its deposit. */
export async function placeSolSend(
  stage: Stage,
  name: string,
  delays: Delays = SHORT_DELAYS,
): Promise<Placed> {
  const { sender, ordered } = await orderSolSend(stage, name, delays)
  return { ...ordered, name, depositSignature: await deposit(stage, ordered, sender) }
}

/** Records what the sender paid and the partner received. Call it after the deposit has landed. */
export async function bookDeposit(
  stage: Stage,
  { request, quote }: Ordered,
  signature: string,
): Promise<void> {
  const source = request.sourceAssetId as Address
  const sender = request.senderAddress as Address
  const { fee } = await stage.chain.feeOf(signature)
  stage.ledger.expect(sender, source, -BigInt(quote.amountIn), 'amountIn')
  stage.ledger.expect(sender, NATIVE_MINT, -fee, 'transaction fee')
  const share = BigInt(quote.feeBreakdown.partnerFee)
  if (share > 0n) stage.ledger.expect(stage.partner, source, share, 'partner share')
}

/** Signs as the user, submits the transaction and waits for its confirmation. Returns the transaction's signature. */
export async function deposit(
  stage: Stage,
  ordered: Ordered,
  sender: KeyPairSigner,
): Promise<string> {
  const { signature, wire } = await stage.chain.sign(ordered.order.transaction, sender)
  const refusal = await stage.chain.refusal(wire)
  if (refusal !== undefined) throw new Error(`the chain refuses the deposit: ${refusal}`)
  await stage.chain.submit(wire)
  const failure = await stage.chain.confirm(signature)
  if (failure) throw new Error('the deposit failed on chain')
  await bookDeposit(stage, ordered, signature)
  stage.progress.done('signed once and submitted; the deposit is on chain')
  await stage.api.hintDeposit(ordered.order.trackingId, signature)
  return signature
}

/** Polls the status and shows each change, until the status is one of `wanted`. */
export async function follow(
  stage: Stage,
  trackingId: string,
  wanted: readonly string[],
  patienceMs = PATIENCE_MS,
): Promise<Status> {
  let shown = ''
  for (let waited = 0; waited < patienceMs; waited += POLL_MS) {
    const status = await stage.api.status(trackingId)
    if (wanted.includes(status.status)) return status
    if (status.final) throw new Error(`the order ended as ${status.status}`)
    if (status.status !== shown) stage.progress.doing(`status ${status.status}`)
    shown = status.status
    await sleep(POLL_MS)
  }
  throw new Error(`the order stayed ${shown} and never became ${wanted.join(' or ')}`)
}

const TOKEN_ACCOUNT_BYTES = 165n

const rentOf = (stage: Stage, bytes: bigint): Promise<bigint> =>
  stage.chain.rpc.getMinimumBalanceForRentExemption(bytes).send()

/** Follows a deposited order until it is delivered. Records what the recipient received. */
export async function awaitDelivery(
  stage: Stage,
  name: string,
  ordered: Ordered,
  depositSignature: string,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const { request, quote, order } = ordered
  const asset = request.destinationAssetId as Address
  const status = await follow(stage, order.trackingId, ['delivered'], patienceMs)
  const settleSignature = status.delivery?.signature
  if (settleSignature === undefined)
    throw new Error('the status of a delivered order contains no delivery')
  const paid = BigInt(quote.amountOut)
  const { value } = decodeTicket(order.recovery).note
  stage.ledger.expect(request.recipientAddress as Address, asset, paid, 'delivery')
  // Every recipient of the demo is new, so a token delivery creates their token account.
  const accountRent = asset === NATIVE_MINT ? 0n : await rentOf(stage, TOKEN_ACCOUNT_BYTES)
  const sender = request.senderAddress as Address
  const signatures = { depositSignature, settleSignature }
  stage.transfers.push({ name, sender, ...signatures, asset, value, paid, accountRent })
  stage.progress.done('delivered')
}
