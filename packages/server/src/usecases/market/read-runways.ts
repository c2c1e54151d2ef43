import type { Address, Amount } from '@sotto/protocol'
import { hoursUntilDry, RATE_SECONDS } from '../../domain/inventory-runway.ts'
import type { Clock } from '../../ports/clock.ts'
import type { InventoryStore, Runway } from '../../ports/inventory-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'

export interface RunwayDependencies {
  readonly store: InventoryStore
  /** The inventory of each asset on the chain; undefined if the pool doesn't list the mint. */
  readonly readInventories: (mints: readonly Address[]) => Promise<readonly (Amount | undefined)[]>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** How long an answer is kept: an average of a day changes slowly, and reading it costs a request to a node. */
const KEPT_MS = 60_000

/**
 * Creates a reader of the time for which each swappable asset's inventory lasts. It uses only public data of the chain:
 * inventories and deposits. It ignores the reservations of unpaid swaps, because they would reveal orders that no
 * deposit shows yet.
 */
export function runwayReader(d: RunwayDependencies): () => MaybePromise<readonly Runway[]> {
  const shared = new SharedAnswer(() => readRunways(d), d.clock)
  return () => shared.read(KEPT_MS)
}

async function readRunways(d: RunwayDependencies): Promise<readonly Runway[]> {
  const records = await d.store.readInventories(RATE_SECONDS)
  const swappable = records.filter(({ isSwappable }) => isSwappable)
  const inventories = await d.readInventories(swappable.map(({ mint }) => mint))
  return swappable.flatMap(({ symbol, paidOut, takenIn }, index) => {
    const inventory = inventories[index]
    return inventory === undefined
      ? []
      : [{ symbol, hours: hoursUntilDry({ inventory, paidOut, takenIn }) }]
  })
}
