import type { Address } from '@sotto/protocol'
import type { Account } from '../../ports/account-store.ts'
import type { Screener } from '../../ports/screener.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { askAllUpstream } from '../ask-upstream.ts'
import { ServiceError } from '../service-error.ts'

/**
 * The party on whose behalf addresses are screened. Cached screening results are reused only for the same asker.
 * Visitors of the send page share an account but must learn nothing about each other, so each visitor's network is a
 * separate asker.
 */
export const askerOf = ({ id, visitor }: Account): string =>
  visitor === undefined ? id : `${id} ${visitor}`

/**
 * Asks the screener about each address in a separate request. Sender and recipient never appear in the same request.
 *
 * @throws ServiceError SCREENING_REFUSED, UPSTREAM_UNAVAILABLE.
 */
export function screenParties(
  screener: Screener,
  addresses: readonly Address[],
  asker: string,
): MaybePromise<void> {
  // All requests start together, so their order reveals nothing. An adapter may also delay each request by a random
  // time.
  const verdicts = addresses.map((one) => screener.isRefused(one, asker))
  return askAllUpstream(verdicts, assertNoneRefused)
}

function assertNoneRefused(verdicts: readonly boolean[]): void {
  if (verdicts.includes(true)) throw new ServiceError('SCREENING_REFUSED')
}
