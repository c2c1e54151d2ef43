import { amount, least, type Amount } from '@sotto/protocol'
import { coarseRest } from '../../domain/coarse-rest.ts'
import { NETWORK_PART, OF_NETWORK, unpaidOrdersMax } from '../../domain/unpaid-orders.ts'
import type { Account } from '../../ports/account-store.ts'
import type { CreateOutcome, OrderRoom, SwapRoom } from '../../ports/order-store.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import { siteOf } from '../access/site-of.ts'
import { holderOf, type Market, type MarketAsset } from '../market/market.ts'
import { ServiceError } from '../service-error.ts'

interface Pair {
  readonly source: MarketAsset
  readonly destination: MarketAsset
}

const HUNDRED = 100n

/** Maximum part of an asset's inventory that the unpaid swaps of one account may reserve, in base units. */
export const accountShare = ({ facts }: MarketAsset, sharePercent: number): Amount =>
  amount((facts.swapAvailable * BigInt(sharePercent)) / HUNDRED)

/**
 * The part of an inventory that the account may still reserve with a swap, in base units; 0 or less if none is left. A
 * visitor's network gets at most its own part of the account's share. The swaps of others are counted in coarse steps:
 * exact sums would reveal their orders before the deposits are on the chain. For a visitor, other networks are others
 * too. The result is never more than the database allows.
 *
 * @param network the name of the visitor's network; undefined if the caller isn't a visitor.
 */
export function shareLeft(
  asset: MarketAsset,
  { id }: Account,
  sharePercent: number,
  network: Uint8Array | undefined,
): bigint {
  const share: bigint = accountShare(asset, sharePercent)
  const ofAccount = asset.reservedBy.get(id) ?? 0n
  const own =
    network === undefined ? ofAccount : (asset.reservedBy.get(holderOf(id, network)) ?? 0n)
  const ofShare = network === undefined ? share : share / NETWORK_PART
  const ofOthers = least(
    coarseRest(share, ofAccount - own),
    coarseRest(asset.facts.swapAvailable, asset.reserved - own),
  )
  return least(ofShare, ofOthers) - own
}

/**
 * The limits that the new order and all other orders that may still be paid must not exceed together.
 *
 * @throws ServiceError UNPAID_ORDERS_LIMIT if the account's other orders use up the account's share of the relayers'
 * balance.
 */
export function orderRoom(
  market: Market,
  pair: Pair,
  account: Account,
  sharePercent: number,
): OrderRoom {
  const { visitor, openOrdersMax } = account
  const ordersMax = visitor === undefined ? openOrdersMax : OF_NETWORK.ordersMax
  const swap = swapRoom(market, pair, account, sharePercent)
  const endedBefore = market.finalSeconds
  if (market.freeOrders === undefined) return { ordersMax, endedBefore, swap }
  const payable = unpaidOrdersMax(market.freeOrders, market.unpaid, account.id)
  const open = market.unpaid.find(({ accountId }) => accountId === account.id)?.open ?? 0
  if (open >= payable) throw refusalOf('too_many_unpaid')
  return { ordersMax: Math.min(ordersMax, payable), endedBefore, swap }
}

function swapRoom(
  { finalSeconds: nowSeconds }: Market,
  { source, destination }: Pair,
  { visitor, openSwapsMax }: Account,
  sharePercent: number,
): SwapRoom | undefined {
  if (source === destination) return undefined
  const accountMax = accountShare(destination, sharePercent)
  return {
    available: destination.facts.swapAvailable,
    accountMax,
    networkMax: amount(accountMax / NETWORK_PART),
    openSwapsMax: visitor === undefined ? openSwapsMax : OF_NETWORK.swapsMax,
    nowSeconds,
  }
}

const NETWORK_BYTES = 16

/**
 * The name of a visitor's network in the database; undefined if the caller isn't a visitor. All IPv6 networks of a site
 * have one name, so a customer with many of them has one quota. Equal names show that orders come from one network. So
 * payments have names of their own: otherwise a copy of the database would link a visitor's payments to the visitor's
 * deposits. Once an order is paid or signed, its name is deleted.
 *
 * @param secrets the secrets of the hour's transfers, also for a top-up, so one limit covers all orders of an hour.
 */
export function networkName(
  secrets: EpochSecrets,
  { visitor }: Account,
  kind: 'order' | 'payment',
): Uint8Array | undefined {
  if (visitor === undefined) return undefined
  const site = siteOf(visitor)
  const clear = kind === 'order' ? `network ${site}` : `network of payments ${site}`
  return secrets.fingerprint(clear).slice(0, NETWORK_BYTES)
}

const RETRY_AFTER_SECONDS = 30

/**
 * The error for an order that exceeds a limit. A retry may succeed after some minutes, when the authorisations of other
 * orders have ended.
 */
export function refusalOf(outcome: Exclude<CreateOutcome, 'created' | 'taken'>): ServiceError {
  const issues = outcome === 'too_many_swaps' ? { issues: [TOO_MANY_SWAPS] } : {}
  return new ServiceError(CODES[outcome], { retryAfterSeconds: RETRY_AFTER_SECONDS, ...issues })
}

/** The other codes name their cause themselves, but `RATE_LIMITED` has many causes. */
const TOO_MANY_SWAPS = {
  param: 'quote',
  message:
    'there are too many unpaid swaps: pay one of them, or wait until one of them ends. An unpaid swap ends at its ' +
    '`payableUntil`, at most three minutes after it was ordered',
}

const CODES = {
  no_inventory: 'LIQUIDITY_UNAVAILABLE',
  too_many_swaps: 'RATE_LIMITED',
  too_many_unpaid: 'UNPAID_ORDERS_LIMIT',
} as const
