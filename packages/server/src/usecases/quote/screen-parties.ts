import type { Address } from '@sotto/protocol'
import type { Account } from '../../ports/account-store.ts'
import type { Screener } from '../../ports/screener.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { askAllUpstream } from '../ask-upstream.ts'
import { ServiceError } from '../service-error.ts'

/** The asker who may get a cached answer: send page visitors share an account, but must learn nothing of each other. */
export const askerOf = ({ id, visitor }: Account): string =>
  visitor === undefined ? id : `${id} ${visitor}`

/**
 * Asks the screener about each address in a separate request: sender and recipient never appear in one.
 *
 * @throws ServiceError SCREENING_REFUSED, UPSTREAM_UNAVAILABLE.
 */
export function screenParties(
  screener: Screener,
  addresses: readonly Address[],
  asker: string,
): MaybePromise<void> {
  // All start together, so that their order reveals nothing either: an adapter may delay each by a random time.
  const verdicts = addresses.map((one) => screener.isRefused(one, asker))
  return askAllUpstream(verdicts, assertNoneRefused)
}

function assertNoneRefused(verdicts: readonly boolean[]): void {
  if (verdicts.includes(true)) throw new ServiceError('SCREENING_REFUSED')
}
