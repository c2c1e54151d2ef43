import { statusOf } from '../../packages/server/src/adapters/store/memory/memory-database.ts'
import { isFinal } from '../../packages/server/src/domain/order-state.ts'
import type { World } from '../run/world.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
/** First days in which looks are hours apart, then weeks in which they are days apart, then days again */
const STAGES = [
  { days: 4, lookMs: 12 * HOUR_MS },
  { days: 33, lookMs: 3 * DAY_MS },
  { days: 4, lookMs: 12 * HOUR_MS },
]

/**
 * Days and weeks after: rent has come back to who paid it, keys are destroyed, what they sealed is
 * gone, and the statuses are still what they were.
 */
export async function afterwards(world: World): Promise<void> {
  const { timeline, watch, chain, memory, keystore } = world
  const before = new Map([...memory.database.orders].map(([key, order]) => [key, statusOf(order)]))
  const isBroken = () => watch.violation !== undefined
  // One worker is enough where nothing fails.
  for (const worker of world.workers.slice(1)) worker.retire()
  for (const { days, lookMs } of STAGES) {
    chain.stretchBlocks(lookMs / 8)
    world.slowdown = lookMs / world.pollMs
    await timeline.run(isBroken, timeline.nowMs + days * DAY_MS)
  }
  if (isBroken()) return
  const { ledger } = chain
  for (const key of ledger.orders.keys()) {
    if (ledger.orders.read(key, Infinity)) watch.fail('rent comes back', 'order')
  }
  for (const key of ledger.nullifiers.keys()) {
    if (ledger.nullifiers.read(key, Infinity)) watch.fail('rent comes back', 'nullifier')
  }
  const keys = await keystore.list()
  if (keys.length > 0) watch.fail('keys die', `${keys.length} live`)
  for (const [key, order] of memory.database.orders) {
    if (statusOf(order) !== before.get(key)) watch.fail('a status never goes back', 'weeks later')
    if (!isFinal(order.status)) watch.fail('ends are written down', order.status)
    const isCleared = order.sealedTerms.length === 0 && order.sealedResponse.length === 0
    if (!isCleared) watch.fail('what dead keys sealed is cleared', key)
  }
}
