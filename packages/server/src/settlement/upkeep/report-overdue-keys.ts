import { EPOCH_MS } from '../../domain/epoch.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'

type ReportDependencies = Pick<DestroyDependencies, 'store' | 'secrets' | 'retentionMs' | 'gauges'>

/**
 * Reports the time up to which all keys that no order needs any more are destroyed. If no such key remains, this is the
 * present; otherwise it is the earliest time at which one of them should have been destroyed. A key's age alone doesn't
 * show a fault, because an open balance keeps the key of its hour for weeks.
 *
 * @param epochs the epochs whose keys may still be listed.
 */
export async function reportOverdueKeys(
  d: ReportDependencies,
  epochs: readonly number[],
  nowMs: number,
): Promise<void> {
  if (d.gauges === undefined) return
  const listed = new Set(await d.secrets.list())
  let untilMs = nowMs
  for (const epoch of epochs) {
    if (listed.has(epoch)) untilMs = Math.min(untilMs, await dueMs(d, epoch))
  }
  d.gauges.keysDestroyedUntil(untilMs)
}

/**
 * The time at which an epoch's key should be destroyed, in milliseconds since 1970; infinite while an order of the
 * epoch is open.
 */
async function dueMs({ store, retentionMs }: ReportDependencies, epoch: number): Promise<number> {
  const end = await store.readEpochEnd(epoch)
  if (end === 'open') return Infinity
  // An hour without orders is over at its end.
  const endMs = end === 'empty' ? epoch * EPOCH_MS : end
  return endMs + EPOCH_MS + retentionMs
}
