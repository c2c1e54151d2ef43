import type { CreateOrderRequest } from '@sotto/contract'
import {
  amount,
  expiryOf,
  innerCommitment,
  parseAmount,
  unixSeconds,
  type Address,
  type Amount,
  type DepositTerms,
  type Poseidon,
  type UnixSeconds,
} from '@sotto/protocol'
import type { Delays } from '../../domain/delivery-schedule.ts'
import type { Chain } from '../../ports/chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import { askUpstream } from '../ask-upstream.ts'
import { assertAddress } from '../assert-address.ts'
import { epochAt } from '../../domain/epoch.ts'
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
}

/** An order before it is stored: its terms and the service's secrets. */
export interface OrderDraft {
  /** The terms in the first transaction. */
  readonly terms: DepositTerms
  /** No authorisation of the order is valid after this, in seconds of the chain's clock. */
  readonly payableUntil: UnixSeconds
  readonly secrets: EpochSecrets
  readonly noteKey: bigint
  readonly source: MarketAsset
  readonly destination: MarketAsset
  readonly recipient: Address
  readonly accountExisted: boolean
  readonly delays: Delays
}

const ORDER_ID_BYTES = 16
/** How long a swap may be paid, by any of its transactions: until then its sender holds the price for free. */
export const SWAP_ORDER_SECONDS = 180n

/** An amount of a quote that this service signed. */
function quoted(text: string): Amount {
  const value = parseAmount(text)
  if (value === undefined)
    throw new Error('a signed quote has a member that should be an amount and is not')
  return value
}

function assetOf(market: Market, assetId: string): MarketAsset {
  const asset = market.assets.get(assetId)
  if (asset === undefined) throw new ServiceError('UNSUPPORTED_ASSET')
  return asset
}

/** Draws an order for a verified quote; its times count from the chain's clock. */
export async function draftOrder(
  d: DraftDependencies,
  body: CreateOrderRequest,
  { id, quote }: VerifiedQuote,
  market: Market,
  chainSeconds: bigint,
): Promise<OrderDraft> {
  const source = assetOf(market, quote.sourceAssetId)
  const destination = assetOf(market, quote.destinationAssetId)
  const sender = assertAddress('senderAddress', body.senderAddress)
  const recipient = assertAddress('recipientAddress', body.recipientAddress)
  const orderId = d.random.bytes(ORDER_ID_BYTES)
  const secrets = await d.secrets.forNewOrder(epochAt(d.clock.nowMs()))
  const noteKey = secrets.noteKey(orderId)
  const { serviceFee, partnerFee, networkFee } = quote.feeBreakdown
  const sourceMint = source.listing.mint
  const share = quoted(partnerFee)
  const deadline = unixSeconds(chainSeconds + BigInt(d.orderSeconds))
  const isSend = source === destination
  const swapEnd = chainSeconds + SWAP_ORDER_SECONDS
  const payableUntil = isSend || swapEnd > deadline ? deadline : unixSeconds(swapEnd)
  const swapUntil = chainSeconds + BigInt(d.swapSeconds)
  const terms: DepositTerms = {
    orderId,
    sender,
    sourceMint,
    destinationMint: destination.listing.mint,
    amountIn: quoted(quote.amountIn),
    amountOut: quoted(quote.amountOut),
    fee: amount(quoted(serviceFee) + quoted(networkFee)),
    partnerFee: share,
    partnerAccount: await partnerAccount(d.chain, sourceMint, share, body),
    deadline,
    // An unpaid swap is a free option on its price, so its authorisation ends sooner.
    validUntil: isSend || swapUntil > payableUntil ? payableUntil : unixSeconds(swapUntil),
    expiry: expiryOf(deadline, BigInt(d.deliveryWindowSeconds)),
    inner: innerCommitment(d.poseidon, noteKey, recipient),
    payload: secrets.sealRecipient(orderId, recipient),
  }
  return {
    terms,
    payableUntil,
    secrets,
    noteKey,
    source,
    destination,
    recipient,
    accountExisted: id.accountExisted,
    delays: { minDelaySeconds: id.minDelaySeconds, maxDelaySeconds: id.maxDelaySeconds },
  }
}

async function partnerAccount(
  chain: Chain,
  mint: Address,
  share: bigint,
  { feeRecipientAddress }: CreateOrderRequest,
): Promise<Address | undefined> {
  // A share that rounds to zero isn't paid, and the terms then name no account.
  if (share === 0n || feeRecipientAddress === undefined) return undefined
  const wallet = assertAddress('feeRecipientAddress', feeRecipientAddress)
  return askUpstream(() => chain.partnerAccount(mint, wallet))
}
