import { destroyableFromMs } from '../../domain/epoch.ts'
import type { DestroyDependencies } from './destroy-dependencies.ts'

type ReportDependencies = Pick<DestroyDependencies, 'store' | 'secrets' | 'retentionMs' | 'gauges'>

/**
 * Reports a time in the metrics. All keys that should have been destroyed before this time have been destroyed. If no
 * overdue key remains, the time is now. If overdue keys remain, the time is the earliest at which one of them should
 * have been destroyed. A key's age alone doesn't show a fault, because an open balance keeps the key of its hour for
 * weeks.
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
 * Returns the time at which an epoch's key should be destroyed, in milliseconds since 1970. Returns infinity if the
 * epoch has an open order.
 */
async function dueMs({ store, retentionMs }: ReportDependencies, epoch: number): Promise<number> {
  const end = await store.readEpochEnd(epoch)
  if (end === 'open') return Infinity
  return destroyableFromMs(epoch, end, retentionMs)
}
