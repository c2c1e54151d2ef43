import type { Clock } from '../ports/clock.ts'
import type { Secrets } from '../ports/secrets.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { UpkeepStore } from '../ports/upkeep-store.ts'

/** As EPOCH_SECONDS of the secrets port, in milliseconds. */
const EPOCH_MS = 3_600_000

interface DestroyDependencies {
  readonly secrets: Secrets
  readonly store: UpkeepStore
  readonly clock: Clock
  readonly log: SettlementLog
  /** How long an epoch's key outlives the last of its orders, in milliseconds. */
  readonly retentionMs: number
}

/**
 * Destroys the keys of epochs whose orders have all been final for the retention time: from then on
 * nobody can join the two sides of their transfers. What was sealed is cleared first; a crash in
 * between leaves the key listed, and the next round finishes. Nothing is destroyed while the chain has
 * notes of orders that the database doesn't know: it was lost or restored from an older backup, and
 * an epoch that looks empty or final may hold the only key to somebody's money.
 */
export async function destroyEpochs(d: DestroyDependencies): Promise<void> {
  const nowMs = d.clock.nowMs()
  const ended = (await d.secrets.list()).filter(
    (epoch) => (epoch + 1) * EPOCH_MS + d.retentionMs <= nowMs,
  )
  if (ended.length === 0) return
  if (await d.store.hasStrangeLeaf()) return d.log.alert('orders_missing')
  for (const epoch of ended) {
    const end = await d.store.readEpochEnd(epoch)
    if (end === 'open') continue
    // A final hour is known only to the hour, so the whole hour counts.
    if (end !== 'empty' && end + EPOCH_MS + d.retentionMs > nowMs) continue
    await d.store.clearEpoch(epoch)
    await d.secrets.destroy(epoch)
    d.log.event('epoch_destroyed')
  }
}
