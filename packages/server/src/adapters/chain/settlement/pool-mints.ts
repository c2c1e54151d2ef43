import type { Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/** The mints of the pool's assets. */
export interface PoolMints {
  readonly mints: readonly Address[]
  /**
   * True if the chain's own list was read. Without it, assets that the database doesn't know are missing.
   */
  readonly areListed: boolean
}

export type ReadPoolMints = () => Promise<PoolMints>

/**
 * Time after which the chain's list is read again, in milliseconds. Listing is expensive for a node, and only an asset
 * that was added without this database needs it.
 */
const LISTED_MS = 600_000

/**
 * Creates a function that returns the mints of the database and the mints of the chain's list. Many public nodes refuse
 * to list accounts. The service owes money only in assets of its database, so the database's mints are enough to
 * compare everything that the service owes.
 */
export function poolMints(d: {
  readonly list: () => Promise<readonly Address[]>
  readonly known: () => Promise<readonly Address[]>
  readonly clock: Pick<Clock, 'nowMs'>
}): ReadPoolMints {
  let listed: readonly Address[] = []
  const listing = new SharedAnswer(async () => {
    try {
      listed = await d.list()
      return true
    } catch {
      // The nodes' metrics show the refusal. If no node answers at all, the caller's next request fails.
      return false
    }
  }, d.clock)
  return async () => {
    const areListed = await listing.read(LISTED_MS, LISTED_MS)
    return { mints: [...new Set([...(await d.known()), ...listed])], areListed }
  }
}
