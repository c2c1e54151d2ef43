import type { CreateOrderRequest } from '@sotto/contract'
import {
  ceilToGrid,
  expiryOf,
  innerCommitment,
  leafUnder,
  packOwner,
  parseAmount,
  unixSeconds,
  type Address,
  type Amount,
  type DepositTerms,
  type Note,
  type Poseidon,
  type UnixSeconds,
} from '@sotto/protocol'
import { balanceExpiry, balanceTermsOf, type BalanceTerms } from '../../domain/balance.ts'
import type { CrowdWish } from '../../domain/crowd.ts'
import type { Delays } from '../../domain/delivery-schedule.ts'
import { leafTermsOf, noteOf } from '../../domain/note-of.ts'
import { swapEnd } from '../../domain/swap-times.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, PayloadTerms, Secrets } from '../../ports/secrets.ts'
import { askUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { epochAt, topUpEpochAt } from '../../domain/epoch.ts'
import type { Market, MarketAsset } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'
import type { VerifiedQuote } from '../quote/verify-quote.ts'

export interface DraftDependencies {
  readonly chain: Chain
  readonly clock: Clock
  readonly poseidon: Poseidon
  readonly random: Random
  readonly secrets: Secrets
  readonly deliveryWindowSeconds: number
  readonly orderSeconds: number
  readonly swapSeconds: number
  readonly payableSeconds?: number | undefined
}

/** An order before it is stored: its terms and the service's secrets for it. */
export interface OrderDraft {
  /** The terms that the first transaction contains. */
  readonly terms: DepositTerms
  /** No authorisation of the order is valid after this time, in seconds of the chain's clock. */
  readonly payableUntil: UnixSeconds
  readonly secrets: EpochSecrets
  /** The secrets of the hour's transfers. A top-up has other `secrets`. */
  readonly hourSecrets: EpochSecrets
  readonly note: Note
  /** The leaf that the order's deposit appends. */
  readonly leaf: bigint
  readonly amountOut: Amount
  readonly source: MarketAsset
  readonly destination: MarketAsset
  readonly recipient: Address
  /** The balance that the deposit opens; undefined for a transfer. */
  readonly topUp: BalanceTerms | undefined
  readonly accountExisted: boolean
  readonly delays: Delays
  /** The crowd that the delivery waits for; undefined if it waits for no crowd. */
  readonly crowd: CrowdWish | undefined
}

const ORDER_ID_BYTES = 16
/**
 * Seconds for which a swap may be paid, with any of its transactions. During this time, the sender has a fixed price
 * for free.
 */
export const SWAP_ORDER_SECONDS = 180n

/** Parses an amount of a quote that this service signed. */
function quoted(text: string): Amount {
  const value = parseAmount(text)
  if (value === undefined) throw new Error('a signed quote has a member that is not an amount')
  return value
}

function assetOf(market: Market, assetId: string): MarketAsset {
  const asset = market.assets.get(assetId)
  if (asset === undefined) throw new ServiceError('UNSUPPORTED_ASSET')
  return asset
}

/**
 * Drafts an order from a verified quote. The order's id is random, and its secrets are derived from the id and the
 * epoch's key. The order's times count from the chain's clock.
 */
export async function draftOrder(
  d: DraftDependencies,
  body: CreateOrderRequest,
  { id, quote }: VerifiedQuote,
  market: Market,
  chainSeconds: UnixSeconds,
): Promise<OrderDraft> {
  const source = assetOf(market, quote.sourceAssetId)
  const destination = assetOf(market, quote.destinationAssetId)
  // The operator may have ended swaps in an asset since the quote, for example because its price is wrong.
  if (
    source !== destination &&
    ![source, destination].every(({ listing }) => listing.isSwappable)
  ) {
    throw new ServiceError('UNSUPPORTED_ASSET')
  }
  const sender = assertAddress('senderAddress', body.senderAddress)
  const recipient = assertAddress('recipientAddress', body.recipientAddress)
  const orderId = d.random.bytes(ORDER_ID_BYTES)
  const sourceMint = source.listing.mint
  const partnerFee = quoted(quote.feeBreakdown.partnerFee)
  const amountOut = quoted(quote.amountOut)
  const topUp = balanceTermsOf(body)
  const nowMs = d.clock.nowMs()
  const hourSecrets = await d.secrets.forNewOrder(epochAt(nowMs))
  const secrets =
    topUp === undefined ? hourSecrets : await d.secrets.forNewOrder(topUpEpochAt(nowMs))
  const { deadline, payableUntil, validUntil } = timesOf(d, chainSeconds, source === destination)
  const noteTerms = {
    sender,
    destinationMint: destination.listing.mint,
    value: id.value,
    amountOut,
    deadline,
    expiry: endOf(d, deadline, topUp),
  }
  const nk = secrets.noteKey(orderId)
  const note = noteOf(noteTerms, { nk, recipient, owner: topUp?.key })
  const terms: DepositTerms = {
    orderId,
    sender,
    sourceMint,
    destinationMint: noteTerms.destinationMint,
    amountIn: quoted(quote.amountIn),
    value: id.value,
    partnerFee,
    partnerAccount: await partnerAccount(d.chain, sourceMint, partnerFee, body),
    deadline,
    validUntil,
    inner: innerCommitment(d.poseidon, note),
    payload: secrets.sealPayload(orderId, payloadOf(note)),
  }
  return {
    terms,
    payableUntil,
    secrets,
    hourSecrets,
    note,
    amountOut,
    source,
    destination,
    recipient,
    topUp,
    leaf: leafUnder(d.poseidon, destination.hash, leafTermsOf(terms)),
    accountExisted: id.accountExisted,
    crowd: id.crowd,
    delays: { minDelaySeconds: id.minDelaySeconds, maxDelaySeconds: id.maxDelaySeconds },
  }
}

/** The end of a transfer's delivery window, or the end of a balance. */
const endOf = (
  { deliveryWindowSeconds }: DraftDependencies,
  deadline: UnixSeconds,
  topUp: BalanceTerms | undefined,
): UnixSeconds =>
  topUp === undefined
    ? expiryOf(deadline, BigInt(deliveryWindowSeconds))
    : balanceExpiry(deadline, topUp.lifeSeconds)

function payloadOf({ claim, expiry }: Note): PayloadTerms {
  if (claim.kind === 'transfer') {
    return { kind: 'transfer', recipient: claim.recipient, amountOut: claim.amountOut, expiry }
  }
  return { kind: 'balance', owner: packOwner(claim.owner), expiry }
}

interface OrderTimes {
  readonly deadline: UnixSeconds
  readonly payableUntil: UnixSeconds
  /** The end of the order's first authorisation. */
  readonly validUntil: UnixSeconds
}

/**
 * Computes the order's times. All times that the chain shows are rounded to grids, so that they don't reveal the second
 * in which the order was made. Only `payableSeconds`, which test mode sets, isn't rounded.
 */
function timesOf(d: DraftDependencies, chainSeconds: UnixSeconds, isSend: boolean): OrderTimes {
  const deadline = ceilToGrid(chainSeconds + BigInt(d.orderSeconds))
  const earlier = (one: UnixSeconds, other: UnixSeconds) => (one < other ? one : other)
  const asked = d.payableSeconds === undefined ? deadline : chainSeconds + BigInt(d.payableSeconds)
  const payable = earlier(deadline, unixSeconds(asked))
  if (isSend) return { deadline, payableUntil: payable, validUntil: payable }
  // An unpaid swap is a free option on its price, so a swap's authorisation ends earlier than a send's.
  const payableUntil = earlier(payable, swapEnd(chainSeconds, SWAP_ORDER_SECONDS))
  const validUntil = earlier(payableUntil, swapEnd(chainSeconds, BigInt(d.swapSeconds)))
  return { deadline, payableUntil, validUntil }
}

async function partnerAccount(
  chain: Chain,
  mint: Address,
  share: Amount,
  { feeRecipientAddress }: CreateOrderRequest,
): Promise<Address | undefined> {
  // If a share rounds to zero, nothing is paid to the partner, and the terms name no partner account.
  if (share === 0n || feeRecipientAddress === undefined) return undefined
  const wallet = assertAddress('feeRecipientAddress', feeRecipientAddress)
  return askUpstream(() => chain.partnerAccount(mint, wallet))
}
