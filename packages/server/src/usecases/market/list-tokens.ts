import type { Token, TokensResponse } from '@sotto/contract'
import { U64_MAX } from '@sotto/protocol'
import type { ArrivalSeconds, DelayPolicy } from '../../domain/delivery-schedule.ts'
import { SAME_ASSET } from '../../domain/fees.ts'
import { limitsOf } from '../../domain/limits.ts'
import { isoOfMs } from '../iso-time.ts'
import type { Market, MarketAsset, MarketView } from './market.ts'
import { boundsOf } from '../quote/price-transfer.ts'
import { ServiceError } from '../service-error.ts'

export interface TokensDependencies {
  readonly market: MarketView
  readonly delays: DelayPolicy
  readonly arrivalSeconds: ArrivalSeconds
}

/**
 * The assets with the bounds of their exact_in sends, for recipients whose account must be created. The data comes from
 * the newest snapshot, however old; `asOf` is its time.
 *
 * @throws ServiceError UPSTREAM_UNAVAILABLE before the first snapshot.
 */
export function listTokens({ market, delays, arrivalSeconds }: TokensDependencies): TokensResponse {
  const { latest } = market
  if (latest === undefined) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 2 })
  }
  const eta = arrivalSeconds(delays)
  const tokens = [...latest.assets.values()].map((asset) => tokenOf(latest, asset, eta))
  return { success: true, tokens, asOf: isoOfMs(latest.takenAtMs) }
}

function tokenOf(market: Market, asset: MarketAsset, eta: number): Token {
  const { listing, facts } = asset
  const terms = {
    serviceBps: listing.serviceBps,
    feeBps: 0,
    networkFee: listing.networkFeeCreated,
  }
  const { min, max } = limitsOf('exact_in', boundsOf(asset, asset), terms, SAME_ASSET)
  const deposits = market.anonymitySets.of(listing.mint).reduce((sum, set) => sum + set.deposits, 0)
  return {
    assetId: listing.mint,
    symbol: listing.symbol,
    name: listing.name,
    decimals: listing.decimals,
    kind: listing.kind,
    canSend:
      !market.isPaused &&
      market.isFollowed &&
      market.isLiquid &&
      !facts.depositsPaused &&
      max >= min,
    swappable: listing.isSwappable,
    // The minimum exceeds u64 if no deposit can pay for a delivery; `canSend` is then false.
    min: `${min > U64_MAX ? U64_MAX : min}`,
    max: `${max}`,
    serviceFeeBps: listing.serviceBps,
    networkFee: {
      accountExists: `${listing.networkFeeExists}`,
      accountCreated: `${listing.networkFeeCreated}`,
    },
    eta,
    anonymitySet: deposits,
  }
}
