import type { Address } from '@sotto/protocol'
import type { Screener } from '../ports/screener.ts'
import { askUpstream } from './ask-upstream.ts'
import { ServiceError } from './service-error.ts'

/**
 * Asks the screener about one address at a time: sender and recipient never stand in one request.
 *
 * @throws ServiceError SCREENING_REFUSED, UPSTREAM_UNAVAILABLE.
 */
export async function screenParties(
  screener: Screener,
  addresses: readonly Address[],
): Promise<void> {
  const isRefused = await askUpstream(async () => {
    for (const one of addresses) if (await screener.isRefused(one)) return true
    return false
  })
  if (isRefused) throw new ServiceError('SCREENING_REFUSED')
}
