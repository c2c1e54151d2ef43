import type { Address, Amount } from '@sotto/protocol'
import { hoursUntilDry, RATE_SECONDS } from '../../domain/inventory-runway.ts'
import type { Clock } from '../../ports/clock.ts'
import type { InventoryStore, Runway } from '../../ports/inventory-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { SharedAnswer } from '../../running/shared-answer.ts'

export interface RunwayDependencies {
  readonly store: InventoryStore
  /** Reads the inventory of each asset on the chain; undefined for a mint that the pool doesn't list. */
  readonly readInventories: (mints: readonly Address[]) => Promise<readonly (Amount | undefined)[]>
  readonly clock: Pick<Clock, 'nowMs'>
}

/** Milliseconds for which an answer is cached. The rates change slowly, and reading them costs a request to a node. */
const KEPT_MS = 60_000

/**
 * Creates a function that reads how long each swappable asset's inventory will last. It uses public data of the chain:
 * inventories and deposits. It uses the reservations of unpaid swaps only in coarse steps. Exact sums would reveal
 * orders that have no deposit on the chain yet.
 */
export function runwayReader(d: RunwayDependencies): () => MaybePromise<readonly Runway[]> {
  const shared = new SharedAnswer(() => readRunways(d), d.clock)
  return () => shared.read(KEPT_MS)
}

async function readRunways(d: RunwayDependencies): Promise<readonly Runway[]> {
  const records = await d.store.readInventories(RATE_SECONDS)
  const swappable = records.filter(({ isSwappable }) => isSwappable)
  const inventories = await d.readInventories(swappable.map(({ mint }) => mint))
  return swappable.flatMap(({ symbol, reserved, lately, ...day }, index) => {
    const inventory = inventories[index]
    if (inventory === undefined) return []
    return [{ symbol, hours: hoursUntilDry({ inventory, reserved, day, hour: lately }) }]
  })
}
