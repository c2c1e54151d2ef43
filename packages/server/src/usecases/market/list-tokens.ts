import type { Token, TokensResponse } from '@sotto/contract'
import { U64_MAX } from '@sotto/protocol'
import { mostCommonValue } from '../../domain/common-value.ts'
import type {
  ArrivalSeconds,
  DelayLaw,
  DelayPolicy,
  Delays,
} from '../../domain/delivery-schedule.ts'
import { leastGross, payoutOf, SAME_ASSET } from '../../domain/fees.ts'
import { limitsOf } from '../../domain/limits.ts'
import { isoOfMs } from '../iso-time.ts'
import { chanceText } from '../../domain/state-quote.ts'
import type { Market, MarketAsset, MarketView } from './market.ts'
import { boundsOf } from '../quote/price-transfer.ts'
import { ServiceError } from '../service-error.ts'

export interface TokensDependencies {
  readonly market: MarketView
  readonly delays: DelayPolicy
  readonly arrivalSeconds: ArrivalSeconds
  readonly law: DelayLaw
}

/**
 * Lists the assets with the bounds of their exact_in sends. The bounds assume a recipient whose account must be
 * created. The data comes from the newest snapshot, even if that snapshot is old. `asOf` is the snapshot's time.
 *
 * @throws ServiceError UPSTREAM_UNAVAILABLE before the first snapshot.
 */
export function listTokens({
  market,
  delays,
  arrivalSeconds,
  law,
}: TokensDependencies): TokensResponse {
  const { latest } = market
  if (latest === undefined) {
    throw new ServiceError('UPSTREAM_UNAVAILABLE', { retryAfterSeconds: 2 })
  }
  const eta = arrivalSeconds(delays)
  const tokens = [...latest.assets.values()].map((asset) =>
    tokenOf(latest, asset, eta, { law, delays }),
  )
  return { success: true, tokens, asOf: isoOfMs(latest.takenAtMs) }
}

interface UsualDelay {
  readonly law: DelayLaw
  readonly delays: Delays
}

function tokenOf(market: Market, asset: MarketAsset, eta: number, usual: UsualDelay): Token {
  const { listing, facts } = asset
  const terms = {
    serviceBps: listing.serviceBps,
    feeBps: 0,
    networkFee: listing.networkFeeCreated,
  }
  const { min, max } = limitsOf('exact_in', boundsOf(asset, asset), terms, SAME_ASSET)
  return {
    assetId: listing.mint,
    symbol: listing.symbol,
    name: listing.name,
    decimals: listing.decimals,
    kind: listing.kind,
    canSend:
      !market.isPaused &&
      market.followFault === undefined &&
      market.isLiquid &&
      !facts.depositsPaused &&
      max >= min,
    swappable: listing.isSwappable,
    // If no deposit can pay for a delivery, the minimum exceeds u64, and `canSend` is false.
    min: `${min > U64_MAX ? U64_MAX : min}`,
    max: `${max}`,
    serviceFeeBps: listing.serviceBps,
    networkFee: {
      accountExists: `${listing.networkFeeExists}`,
      accountCreated: `${listing.networkFeeCreated}`,
    },
    eta,
    ...mostCommon(market, asset, usual),
  }
}

/**
 * The common amount with the best privacy now, and its privacy for a sender who has no deposit in the pool. A send that
 * delivers an amount has the smallest value that pays this amount. A deposit may have a larger value with the same
 * payout, for example if its sender chose what to pay. Such a deposit doesn't hide the send.
 */
function mostCommon(
  { observed }: Market,
  asset: MarketAsset,
  { law, delays }: UsualDelay,
): Pick<Token, 'anonymitySet' | 'commonAmount' | 'linkProbability'> {
  const { mint, serviceBps, networkFeeExists: networkFee } = asset.listing
  const { inputMax, outputMin } = boundsOf(asset, asset)
  const tariff = { serviceBps, networkFee }
  const best = mostCommonValue(observed, mint, law, delays, (value) => {
    const out = payoutOf(value, tariff)
    return value <= inputMax && out >= outputMin && leastGross(out, tariff) === value
  })
  if (best === undefined) return { anonymitySet: 1, commonAmount: null, linkProbability: '1' }
  const { anonymitySet, linkProbability } = best.stated
  return {
    anonymitySet,
    commonAmount: `${payoutOf(best.value, tariff)}`,
    linkProbability: chanceText(linkProbability),
  }
}
