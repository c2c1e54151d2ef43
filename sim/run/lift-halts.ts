import { statusOf } from '../store/memory-database.ts'
import type { World } from './world.ts'

const POLL_MS = 60_000

/**
 * For each deposit that an operator writes off, the service accepts two unexplained leaves: the deposit's leaf, and
 * the leaf of its settlement.
 */
const LEAVES_EACH = 2

/**
 * Plays an operator who writes off the leaves of strangers' deposits and of payments that owners made without the
 * service. The operator also resumes new orders after a comparison has found that chain and database agree.
 */
export function keepLiftingHalts(world: World): void {
  const { chain, memory, timeline, trace } = world
  const poll = () => {
    const { cursor, areBooksAgreeing } = memory.database
    // If an owner pays without the service, the payment appends a leaf. No order of the service explains this leaf.
    const hasExpired = (key: string) => {
      const payment = memory.database.payments.get(key)
      return payment !== undefined && statusOf(payment) === 'expired'
    }
    const foreign = world.owners.reduce((sum, owner) => sum + owner.countForeign(hasExpired), 0)
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
