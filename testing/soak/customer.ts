import { decodeTicket, NATIVE_MINT, PROGRAM_ERRORS } from '@sotto/protocol'
import {
  generateKeyPairSigner,
  getSolanaErrorFromTransactionError,
  isSolanaError,
  SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM,
  type Address,
  type KeyPairSigner,
  type SolanaError,
} from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Order, Quote } from '../../demo/src/service-api.ts'
import type { Stage } from '../stage/open-stage.ts'
import type { DrawnOrder } from './draw-orders.ts'
import { Refused, type ServiceClient } from './service-client.ts'

/** Lamports that a sender has in addition to the amount, for fees and the rent of the Order account. */
const SPARE_LAMPORTS = 1_000_000_000n
const PARTNER_MODE = 'exact_out'
/** Long delays. With them, the delivery isn't due yet when the time is advanced past the expiry. */
export const LATE = { minDelaySeconds: 3_500, maxDelaySeconds: 3_600 }
/** A crowd that needs more wallets than the soak has for any amount. So the crowd never forms. */
const CROWDED = { minCrowd: 32, crowdMissed: 'refund' }
const NEW_QUOTES_MAX = 20
const AUTHORISATION_EXPIRED = PROGRAM_ERRORS.find(
  ({ name }) => name === 'AuthorisationExpired',
)?.code

/** The sender and the recipient of an order, and the sender's initial balance. */
interface Parties {
  readonly sender: KeyPairSigner
  readonly recipient: Address
  readonly held: { readonly lamports: bigint; readonly tokens: bigint }
}

/** An order that was placed. */
export interface Placed extends Parties {
  readonly drawn: DrawnOrder
  readonly quote: Quote
  readonly order: Order
  /** The note's value according to its ticket, in base units of the destination. A refund pays all of it. */
  readonly value: bigint
  /** The last second, by the chain's clock, at which the note can be delivered. Afterwards it can only be refunded. */
  readonly expiry: bigint
}

export interface Market {
  readonly stage: Stage
  readonly client: ServiceClient
}

/** A new wallet with the money for an order. */
export async function makeSender(
  { treasury }: Pick<Stage, 'treasury'>,
  { source, destination, amount }: DrawnOrder,
) {
  const sender = await generateKeyPairSigner()
  const given = amount * 2n
  const lamports = SPARE_LAMPORTS + (source === NATIVE_MINT ? given : 0n)
  const tokens = source === NATIVE_MINT ? 0n : given
  await treasury.fund(sender.address, lamports)
  if (tokens > 0n) await treasury.mint(sender.address, source, tokens)
  // A refund doesn't open an account. So the sender needs a token account in case the order is refunded in the token.
  if (source === NATIVE_MINT && destination !== NATIVE_MINT) {
    await treasury.mint(sender.address, destination, 0n)
  }
  return { sender, held: { lamports, tokens } }
}

/** Gets a quote and places the order. Repeats with a new quote if the service requires one. */
export async function place(market: Market, drawn: DrawnOrder, parties?: Parties): Promise<Placed> {
  const made = parties ?? {
    ...(await makeSender(market.stage, drawn)),
    recipient: (await generateKeyPairSigner()).address,
  }
  const { sender, recipient } = made
  const { feeBps } = drawn
  const addresses = { senderAddress: sender.address, recipientAddress: recipient }
  const partner =
    feeBps === undefined ? {} : { feeBps, feeRecipientAddress: market.stage.setup.partner }
  const request = {
    amount: String(drawn.amount),
    sourceAssetId: drawn.source,
    destinationAssetId: drawn.destination,
    ...(drawn.isExactOut ? { mode: PARTNER_MODE } : {}),
    ...(drawn.fate === 'late' ? LATE : {}),
    ...(drawn.fate === 'crowded' ? CROWDED : {}),
  }
  const { quote, order } = await orderWith(market, request, { ...addresses, ...partner })
  const { value, expiry } = decodeTicket(order.recovery).note
  return { drawn, ...made, quote, order, value, expiry }
}

/** Gets a quote and places an order. `both` contains the members that both requests have. */
export async function orderWith<Made = Order>(
  { client }: Market,
  request: object,
  both: object,
  path = '/order',
): Promise<{ readonly quote: Quote; readonly order: Made }> {
  for (let quotes = 1; ; quotes += 1) {
    const { quote } = await client.call<{ quote: Quote }>('POST', '/quote', {
      ...request,
      ...both,
    })
    try {
      const headers = { 'X-Idempotency-Key': randomUUID() }
      const body = { quote, ...both }
      const { order } = await client.call<{ order: Made }>('POST', path, body, headers)
      return { quote, order }
    } catch (error) {
      const isForNewQuote = error instanceof Refused && error.isForNewQuote
      if (!isForNewQuote || quotes >= NEW_QUOTES_MAX) throw error
    }
  }
}

const POLL_MS = 400

/**
 * The outcome of a signed transaction: `landed`, `dead` if the blockhash has expired, or the error that the chain
 * reports.
 */
type Landing = 'landed' | 'dead' | SolanaError

/** Waits until a signed transaction has landed or failed, or can't land any more. Returns the outcome. */
export async function landing(
  { chain }: Stage,
  signature: string,
  lastValid: bigint,
): Promise<Landing> {
  for (;;) {
    const height = await chain.height()
    // The run may advance the time very far for another order. Then the node finds the status only in its history.
    const options = { searchTransactionHistory: true }
    const { value } = await chain.rpc.getSignatureStatuses([signature as never], options).send()
    const found = value[0]
    if (found && found.confirmationStatus !== 'processed') {
      return found.err ? getSolanaErrorFromTransactionError(found.err) : 'landed'
    }
    if (!found && height > lastValid) return 'dead'
    await sleep(POLL_MS)
  }
}

const BLOCKHASH_SECONDS = 20

/** Waits until the newest transaction of this order can't land any more. */
export async function outlive(stage: Stage, { lastValidBlockHeight }: Order): Promise<void> {
  while ((await stage.chain.height()) <= BigInt(lastValidBlockHeight)) {
    await stage.advance(BLOCKHASH_SECONDS)
  }
}

export const refreshOrder = async ({ client }: Market, trackingId: string): Promise<Order> =>
  (await client.call<{ order: Order }>('POST', `/order/${trackingId}/refresh`, {})).order

/**
 * True if the customer should request a new transaction after this failure of a deposit. There are two such cases. In
 * the first case, the order's authorisation has expired, because the time was advanced for another order. In the second
 * case, the order's fate is `refreshed`, and the order's other transaction may have landed.
 */
const isForRefresh = ({ drawn }: Placed, error: SolanaError): boolean =>
  drawn.fate === 'refreshed' ||
  (isSolanaError(error, SOLANA_ERROR__INSTRUCTION_ERROR__CUSTOM) &&
    Number(error.context.code) === AUTHORISATION_EXPIRED)

/**
 * Signs and submits an order's transaction until the deposit has landed. Whenever a transaction can't land any more,
 * the customer requests a new one. Returns the signature of the last submitted transaction. For the fate `refreshed`,
 * the deposit may have landed with the previous transaction instead.
 */
export async function pay(market: Market, placed: Placed): Promise<string> {
  const { stage } = market
  const refreshed = () => refreshOrder(market, placed.order.trackingId)
  const signed = ({ transaction }: Order) => stage.chain.sign(transaction, placed.sender)
  let order = placed.order
  if (placed.drawn.fate === 'refreshed') {
    await outlive(stage, order)
    // Both transactions are valid, and both are sent. The Order account allows only one of them to land (I4).
    const first = await refreshed()
    await stage.advance(1)
    order = await refreshed()
    await stage.chain.submit((await signed(first)).wire)
  }
  for (;;) {
    const { wire, signature } = await signed(order)
    await stage.chain.submit(wire)
    const result = await landing(stage, signature, BigInt(order.lastValidBlockHeight))
    if (result === 'landed') return signature
    if (result instanceof Error && !isForRefresh(placed, result)) {
      const { drawn } = placed
      throw new Error(`the deposit of a ${drawn.kind} failed: ${result.message}`, { cause: result })
    }
    try {
      order = await refreshed()
    } catch (error) {
      const isPaid = error instanceof Refused && error.code === 'ORDER_ALREADY_DEPOSITED'
      if (!isPaid) throw error
      return signature
    }
  }
}
