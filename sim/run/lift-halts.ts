import type { World } from './world.ts'

const POLL_MS = 60_000

/** Each deposit that is written off explains two leaves: its own and its settlement's. */
const LEAVES_EACH = 2

/**
 * An operator resumes new orders once a comparison has found that chain and database agree, and writes off
 * strangers' deposits.
 */
export function keepLiftingHalts(world: World): void {
  const { chain, memory, timeline, trace } = world
  const poll = () => {
    const { cursor, areBooksAgreeing } = memory.database
    // A payment that an owner made without the service has appended a leaf that no order of the service explains.
    const foreign = world.owners.reduce((sum, owner) => sum + owner.countForeign(), 0)
    const strange = chain.ledger.strangeLeaves + foreign
    memory.database.writtenOff = Math.ceil(strange / LEAVES_EACH)
    if (cursor?.halted !== undefined && areBooksAgreeing === true) {
      cursor.halted = undefined
      trace.add(timeline.nowMs, 'operator', 'lifts the halt')
    }
    timeline.after(Math.max(POLL_MS, world.quietMs), poll, true)
  }
  poll()
}
