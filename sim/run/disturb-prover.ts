import type { World } from './world.ts'

/**
 * The possible durations of an outage, in milliseconds. The first duration is shorter than an order's life. The second
 * duration is longer than the lives of most orders.
 */
const OUTAGES_MS: readonly number[] = [600_000, 2_400_000]

/** Makes all provers unavailable for a while. */
export function disturbProver(world: World): void {
  const { faults, timeline } = world
  if (!faults.fires('prover_outage', 'operator')) return
  world.proverDownUntilMs = timeline.nowMs + faults.random.pick(OUTAGES_MS)
}
