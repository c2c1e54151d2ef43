import type { Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import { SharedAnswer } from '../../../running/shared-answer.ts'

/** The mints of the pool's assets. */
export interface PoolMints {
  readonly mints: readonly Address[]
  /**
   * True if the chain's own list was read. If it is false, assets that are missing in the database may be missing here
   * too.
   */
  readonly areListed: boolean
}

export type ReadPoolMints = () => Promise<PoolMints>

/**
 * The chain's list is read again after this time, in milliseconds. Listing is expensive for a node, and it finds only
 * assets that were added without this database.
 */
const LISTED_MS = 600_000

/**
 * Creates a function that returns the mints of the database together with the mints of the chain's list. Many public
 * nodes refuse to list accounts. But the service owes money only in assets of its database. So the database's mints are
 * enough to check everything that the service owes.
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
      // The nodes' metrics show the refusal. If every node fails, the caller's next request fails too.
      return false
    }
  }, d.clock)
  return async () => {
    const areListed = await listing.read(LISTED_MS, LISTED_MS)
    return { mints: [...new Set([...(await d.known()), ...listed])], areListed }
  }
}
