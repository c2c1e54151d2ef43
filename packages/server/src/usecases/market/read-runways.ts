import type { Address, Amount } from '@sotto/protocol'
import { hoursUntilDry, RATE_SECONDS } from '../../domain/inventory-runway.ts'
import type { Clock } from '../../ports/clock.ts'
import type { InventoryStore, Runway } from '../../ports/inventory-store.ts'
import { RecentAnswer } from '../../running/recent-answer.ts'

export interface RunwayDependencies {
  readonly store: InventoryStore
  /** Reads the inventory of each asset on the chain; undefined for a mint that the pool doesn't list. */
  readonly readInventories: (mints: readonly Address[]) => Promise<readonly (Amount | undefined)[]>
  readonly clock: Clock
}

/**
 * An answer is used for a minute, because runways change slowly, and reading the inventories requires a request to a
 * node. Callers wait at most two seconds: a request to a node that hangs fails only after 15 seconds, but Prometheus
 * gives up a scrape after ten.
 */
const LIMITS = { keptMs: 60_000, waitMs: 2_000, shownMs: 600_000 }

/** Thrown if the database or the chain hasn't answered yet, or hasn't answered for ten minutes. */
export class RunwaysUnknownError extends Error {
  override readonly name = 'RunwaysUnknownError'
}

/**
 * Creates a function that reads how long each swappable asset's inventory will last. It uses public data of the chain:
 * inventories and deposits. It uses the reservations of unpaid swaps only in coarse steps. Exact sums would reveal
 * orders that have no deposit on the chain yet.
 *
 * If the database or the chain doesn't answer in time, the function returns the last answer, or throws
 * RunwaysUnknownError.
 */
export function runwayReader(d: RunwayDependencies): () => Promise<readonly Runway[]> {
  const recent = new RecentAnswer(() => readRunways(d), d.clock, LIMITS)
  return async () => {
    const runways = await recent.read()
    if (runways === undefined) throw new RunwaysUnknownError('no runway is known')
    return runways
  }
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
