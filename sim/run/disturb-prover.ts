import type { World } from './world.ts'

/** Shorter than an order's life, and longer than most. */
const OUTAGES_MS: readonly number[] = [600_000, 2_400_000]

/** Takes every prover away for a while. */
export function disturbProver(world: World): void {
  const { faults, timeline } = world
  if (!faults.fires('prover_outage', 'operator')) return
  world.proverDownUntilMs = timeline.nowMs + faults.random.pick(OUTAGES_MS)
}
