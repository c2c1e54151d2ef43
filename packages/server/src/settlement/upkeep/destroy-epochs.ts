import { EPOCH_MS } from '../../domain/epoch.ts'
import { wholeNumber } from '../../domain/whole-number.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'
import { notesOf } from './note-sums.ts'
import { resealStragglers } from './reseal-stragglers.ts'
import { unknownLeaves } from './unknown-leaves.ts'

/**
 * Destroys the keys of epochs whose orders have all been final for the retention time: from then on the two
 * sides of their transfers can't be joined. An order that can't be delivered any more but isn't final doesn't
 * keep its key alive: it is resealed first. Sealed data is cleared before the key is destroyed; after a crash
 * in between, the key is still listed and the next round finishes. Nothing is destroyed while the chain has
 * notes of orders that are missing from the database: it was lost or restored from an older backup, and an
 * epoch that seems empty or final may have the only key to a user's money.
 */
export async function destroyEpochs(d: DestroyDependencies): Promise<void> {
  const nowMs = await latestCertainMs(d)
  const ended = (await d.secrets.list()).filter(
    (epoch) => (epoch + 1) * EPOCH_MS + d.retentionMs <= nowMs,
  )
  if (ended.length > 0 && (await lacksOrders(d))) return d.log.alert('orders_missing')
  for (const epoch of ended) {
    // An epoch that can't be destroyed must not keep the others' keys alive.
    try {
      if (await isOver(d, epoch, nowMs)) await destroyEpoch(d, epoch)
    } catch (error) {
      d.log.failed('destroy_epoch', error)
      if (!(await isReadable(d, epoch))) d.log.alert('secrets_missing')
    }
  }
  // A settlement that became final in an hour belongs to an epoch of that hour or an older one. It is deleted
  // only when all of those keys are destroyed, so that deletion doesn't reveal a delivery's epoch. This runs in
  // every round, because a process may have ended after destroying the last key. If no key is listed, either
  // all are destroyed or the keystore is unavailable.
  const [oldest] = await d.secrets.list()
  if (oldest === undefined && ended.length === 0) return
  await d.store.dropSettled((oldest ?? Math.floor(nowMs / EPOCH_MS)) * EPOCH_MS)
}

/** True if the chain has notes of orders that aren't in the database; one written off may have left two leaves. */
async function lacksOrders(d: DestroyDependencies): Promise<boolean> {
  const notes = await notesOf(d, (await d.store.readCursor()).slot)
  const ledger = await d.store.readLedger()
  return unknownLeaves(ledger, notes) > 2 * ledger.writtenOff
}

/**
 * The time that both clocks have reached, in milliseconds: a wall clock that is far ahead must not end
 * the hour that still seals new orders.
 */
async function latestCertainMs(d: DestroyDependencies): Promise<number> {
  const { unixSeconds } = await d.store.readCursor()
  return Math.min(d.clock.nowMs(), wholeNumber(unixSeconds * 1_000n))
}

/** False if the key is damaged: its epoch can be cleared only once the key is restored from a backup. */
const isReadable = ({ secrets }: DestroyDependencies, epoch: number): Promise<boolean> =>
  secrets.read(epoch).then(
    () => true,
    () => false,
  )

async function destroyEpoch(d: DestroyDependencies, epoch: number): Promise<void> {
  await d.store.clearEpoch(epoch)
  await d.secrets.destroy(epoch)
  d.log.event('epoch_destroyed')
}

async function isOver(d: DestroyDependencies, epoch: number, nowMs: number): Promise<boolean> {
  let end = await d.store.readEpochEnd(epoch)
  if (end === 'open') {
    await resealStragglers(d, epoch)
    end = await d.store.readEpochEnd(epoch)
  }
  if (end === 'open') return false
  // A final hour is known only to the hour, so the whole hour counts.
  return end === 'empty' || end + EPOCH_MS + d.retentionMs <= nowMs
}
