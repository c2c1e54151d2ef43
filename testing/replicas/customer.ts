import { decodeTicket } from '@sotto/protocol'
import { generateKeyPairSigner } from '@solana/kit'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  SottoApiError,
  type Order,
  type OrderTerms,
  type Quote,
  type SottoClient,
} from '../../packages/sdk/server.ts'
import {
  memoryTickets,
  PROGRAM_SHA256,
  signAndSubmit,
  verifyOrder,
} from '../../packages/sdk/wallet.ts'
import { LATE, makeSender, type Placed } from '../soak/customer.ts'
import type { DrawnOrder } from '../soak/draw-orders.ts'
import type { Ground } from '../stage/open-ground.ts'

/** An order, with all data that is needed to retry it. */
export interface Ordered extends Placed {
  readonly quote: Quote
  readonly order: Order
  readonly terms: OrderTerms
  readonly key: string
}

export interface Market {
  readonly ground: Ground
  /** The client sends requests to the balancer, so each call may reach a different replica. */
  readonly client: SottoClient
}

/**
 * Maximum number of quotes for one order. A partner requests a new quote if the price moved or the quote expired. A
 * quote may expire because the machine is busy.
 */
const NEW_QUOTES_MAX = 20

const isForNewQuote = (error: unknown): boolean =>
  error instanceof SottoApiError && error.retry === 'new_quote'

/**
 * Gets a quote, and sends the same order twice at the same moment with the same idempotency key. The two requests may
 * reach different replicas. They must create one order and get equal answers. @throws Error if the answers differ.
 */
export async function place({ ground, client }: Market, drawn: DrawnOrder): Promise<Ordered> {
  const { sender, held } = await makeSender(ground, drawn)
  const recipient = (await generateKeyPairSigner()).address
  const { feeBps, source: sourceAssetId, destination: destinationAssetId } = drawn
  const parties = {
    ...{ senderAddress: sender.address, recipientAddress: recipient },
    ...(feeBps === undefined ? {} : { feeBps, feeRecipientAddress: ground.setup.partner }),
  }
  for (let quotes = 1; ; quotes += 1) {
    const { quote } = await client.quote({
      ...{ amount: String(drawn.amount), sourceAssetId, destinationAssetId },
      ...(drawn.isExactOut ? { mode: 'exact_out' as const } : {}),
      ...(drawn.fate === 'late' ? LATE : {}),
      ...parties,
    })
    const terms = { quote, ...parties }
    const key = randomUUID()
    const ask = () => client.createOrder(terms, { idempotencyKey: key })
    try {
      const [order, again] = await Promise.all([ask(), ask()])
      if (JSON.stringify(order) !== JSON.stringify(again)) {
        throw new Error(
          `one key got two answers, for the orders ${order.trackingId} and ${again.trackingId}`,
        )
      }
      const { value, expiry } = decodeTicket(order.recovery).note
      return { drawn, sender, recipient, held, quote, order, value, expiry, terms, key }
    } catch (error) {
      if (!isForNewQuote(error) || quotes >= NEW_QUOTES_MAX) throw error
    }
  }
}

const POLL_MS = 300

/**
 * Verifies, signs and submits the transaction. Uses a refreshed transaction if the first one has expired, or if the
 * order's drawn fate is `refreshed`.
 */
export async function pay(market: Market, ordered: Ordered): Promise<void> {
  const { client } = market
  const { drawn, order } = ordered
  let current = drawn.fate === 'refreshed' ? await client.refresh(order.trackingId) : order
  for (;;) {
    const signature = await deposit(market, ordered, current)
    if (signature !== undefined) {
      await client.hintDeposit(order.trackingId, signature)
      return
    }
    current = await client.refresh(order.trackingId)
  }
}

/**
 * Pays with one transaction of an order, and doesn't inform the service. Returns the signature, or undefined if the
 * transaction's blockhash has expired.
 */
export async function deposit(
  { ground }: Pick<Market, 'ground'>,
  ordered: Ordered,
  current: Order,
): Promise<string | undefined> {
  const { drawn, sender, recipient, quote, order } = ordered
  const { chain, program: programId } = ground
  const partner =
    drawn.feeBps === undefined
      ? {}
      : { partner: { wallet: ground.setup.partner, feeBps: drawn.feeBps } }
  const expected = {
    ...{ sender: sender.address, recipient, ...partner },
    ...{ sourceAssetId: drawn.source, destinationAssetId: drawn.destination },
    ...{ amountIn: BigInt(quote.amountIn), amountOut: BigInt(quote.amountOut) },
    minOut: BigInt(quote.amountOut),
  }
  const { rpc } = chain
  const verified = await verifyOrder({
    ...{ order: current, quote, expected, programId, rpc },
    refreshed: current === order ? null : order,
    ...{ acceptedPrograms: [PROGRAM_SHA256], isLocalChain: true },
  })
  const signature = await signAndSubmit(verified, { signer: sender, rpc, tickets: memoryTickets() })
  const isPaid = await hasLanded(ordered, chain, signature, verified.lastValidBlockHeight)
  return isPaid ? signature : undefined
}

async function hasLanded(
  { drawn }: Ordered,
  chain: Ground['chain'],
  signature: string,
  lastValid: bigint,
): Promise<boolean> {
  for (;;) {
    const height = await chain.height()
    // The run may advance the time very far for another order. Then the node finds the status only in its history.
    const options = { searchTransactionHistory: true }
    const { value } = await chain.rpc.getSignatureStatuses([signature as never], options).send()
    const found = value[0]
    if (found && found.confirmationStatus !== 'processed') {
      if (found.err) throw new Error(`the deposit of order ${drawn.index} failed on chain`)
      return true
    }
    if (!found && height > lastValid) return false
    await sleep(POLL_MS)
  }
}
