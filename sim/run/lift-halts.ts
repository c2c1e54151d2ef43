import type { World } from './world.ts'

const LOOK_MS = 60_000

/** An operator lets new orders in again once a comparison has found that chain and database agree. */
export function keepLiftingHalts(world: World): void {
  const { memory, timeline, trace } = world
  const look = () => {
    const { cursor, areBooksAgreeing } = memory.database
    if (cursor?.halted !== undefined && areBooksAgreeing === true) {
      cursor.halted = undefined
      trace.add(timeline.nowMs, 'operator', 'lifts the halt')
    }
    timeline.after(Math.max(LOOK_MS, world.quietMs), look, true)
  }
  look()
}
