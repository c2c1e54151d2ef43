import type { QuoteRequest } from '@sotto/contract'
import { BEFORE_EXPIRY_SECONDS, type CrowdWish } from '../../domain/crowd.ts'
import type { DelayLaw, Delays } from '../../domain/delivery-schedule.ts'
import { anonymitySetMax, weightOf } from '../../domain/privacy-statement.ts'
import { invalid } from '../service-error.ts'

type Asked = Pick<QuoteRequest, 'minCrowd' | 'crowdMissed'> &
  Pick<QuoteRequest, 'balance' | 'balanceKey' | 'sourceAssetId' | 'destinationAssetId'>

/**
 * The crowd that a request asks for; undefined if it asks for no crowd. `windowSeconds` is the time from the deadline
 * to the expiry.
 *
 * @throws ServiceError INVALID_REQUEST if the crowd could never be reached, or if the transfer can't wait for a crowd.
 */
export function crowdAskedFor(
  request: Asked,
  law: DelayLaw,
  delays: Delays,
  windowSeconds: number,
): CrowdWish | undefined {
  const { minCrowd, crowdMissed } = request
  if (minCrowd === undefined) {
    if (crowdMissed === undefined) return undefined
    throw invalid('crowdMissed', 'is allowed only in a request with minCrowd')
  }
  if (request.balance !== undefined || request.balanceKey !== undefined) {
    throw invalid(
      'minCrowd',
      'is not allowed for a balance, because only transfers wait for a crowd',
    )
  }
  if (anonymitySetMax(weightOf(law, delays)) < minCrowd) {
    throw invalid(
      'minCrowd',
      'can never be reached with these delays: a delivery in such a narrow window reveals its deposit',
    )
  }
  const missed = crowdMissed ?? 'refund'
  if (missed === 'refund' && request.sourceAssetId !== request.destinationAssetId) {
    throw invalid(
      'crowdMissed',
      'must be "deliver" for a swap: a refund pays the destination asset, not the asset that was paid',
    )
  }
  // An order that is paid in its last minute would be recorded only after its wait had ended. The order would then be
  // refunded even if its crowd had been reached.
  if (missed === 'refund' && BigInt(windowSeconds) <= BEFORE_EXPIRY_SECONDS) {
    throw invalid(
      'crowdMissed',
      'must be "deliver" here: after the deadline, this service has no time to wait for a crowd',
    )
  }
  return { min: minCrowd, missed }
}
