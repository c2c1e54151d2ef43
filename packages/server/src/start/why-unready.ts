import type { Address } from '@sotto/protocol'
import { isSnapshotOld } from '../domain/snapshot-age.ts'
import type { Clock } from '../ports/clock.ts'
import { FOLLOW_FAULTS } from '../usecases/market/follow-fault.ts'
import { allowsOrdersOf, isAuthoriserOf, type MarketView } from '../usecases/market/market.ts'

const SNAPSHOT_OLD = 'this process has been unable to read the chain or the database for too long'
const KEY_REMOVED =
  "the pool doesn't have the key of SOTTO_AUTHORISER_KEY any more, so no deposit of a new order could land: " +
  'the operator finds the next step in docs/runbooks/orders-halted.md'
const TIME_TOO_SHORT =
  "the pool's longest time for a deposit is too short for SOTTO_ORDER_SECONDS, so no deposit of a new order could land: " +
  'the operator finds the next step in docs/runbooks/orders-halted.md'

interface Served {
  /** The key that signs this process's orders. */
  readonly authoriser: Address
  /** Seconds from an order to its deadline, before rounding. */
  readonly orderSeconds: number
  readonly clock: Clock
}

/** The reason why an API process can't serve new orders; undefined if it can serve them. */
export function whyUnready(
  { latest: market }: Pick<MarketView, 'latest'>,
  { authoriser, orderSeconds, clock }: Served,
): string | undefined {
  if (market === undefined) return SNAPSHOT_OLD
  if (isSnapshotOld(market.takenAtMs, clock.nowMs())) return SNAPSHOT_OLD
  if (!isAuthoriserOf(market.pool, authoriser)) return KEY_REMOVED
  if (!allowsOrdersOf(market.pool, orderSeconds)) return TIME_TOO_SHORT
  return market.followFault && FOLLOW_FAULTS[market.followFault]
}
