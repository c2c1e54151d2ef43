import type { Address } from '@sotto/protocol'
import type { Account } from '../../ports/account-store.ts'
import type { Screener } from '../../ports/screener.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { askAllUpstream } from '../ask-upstream.ts'
import { ServiceError } from '../service-error.ts'

/** For whom an answer may be cached: send page visitors share an account but must learn nothing of each other. */
export const askerOf = ({ id, visitor }: Account): string =>
  visitor === undefined ? id : `${id} ${visitor}`

/**
 * Asks the screener about one address at a time: sender and recipient never appear in one request.
 *
 * @throws ServiceError SCREENING_REFUSED, UPSTREAM_UNAVAILABLE.
 */
export function screenParties(
  screener: Screener,
  addresses: readonly Address[],
  asker: string,
): MaybePromise<void> {
  // All at once, so that their order reveals nothing either: an adapter may draw a time for each.
  const verdicts = addresses.map((one) => screener.isRefused(one, asker))
  return askAllUpstream(verdicts, assertNoneRefused)
}

function assertNoneRefused(verdicts: readonly boolean[]): void {
  if (verdicts.includes(true)) throw new ServiceError('SCREENING_REFUSED')
}
