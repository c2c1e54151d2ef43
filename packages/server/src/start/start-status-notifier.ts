import type { ChangeHub } from '../adapters/changes/change-hub.ts'
import { systemClock } from '../adapters/clock/system-clock.ts'
import { listenForStatuses, notifyProcesses } from '../adapters/store/status-hints.ts'
import type { Config } from '../config.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { StatusChanges } from '../ports/status-changes.ts'
import { startNotify } from './start-notify.ts'
import type { WorkerParts } from './start-worker.ts'

interface Steps {
  readonly add: (step: () => Promise<unknown>) => void
}

/** Notifies this process's streams of status changes that workers of other processes make. */
export function listenForChanges(
  { DATABASE_URL }: Config,
  changes: ChangeHub,
  log: SettlementLog,
  shutdown: Steps,
): void {
  // Only one process uses the embedded database, and it notifies its streams directly.
  if (DATABASE_URL === undefined) return
  const failed = (error: unknown) => log.failed('status-hints', error)
  const hints = listenForStatuses(DATABASE_URL, changes, { clock: systemClock, failed })
  shutdown.add(() => hints.close())
}

/**
 * Starts to notify endpoints. Returns a function that a worker calls with the outbox names of new events. The function
 * notifies streams of these events, and starts the sending to endpoints.
 */
export function startStatusNotifier(
  parts: Omit<WorkerParts, 'notify'>,
  changes: ChangeHub,
  shutdown: Steps,
): StatusChanges['notify'] {
  const { config, database, log } = parts
  const webhooks = startNotify(parts)
  shutdown.add(() => webhooks.stop())
  const failed = (error: unknown) => log.failed('status-hints', error)
  const others =
    config.DATABASE_URL === undefined ? () => undefined : notifyProcesses(database, failed)
  return (names) => {
    changes.notify(names)
    webhooks.wake()
    others(names)
  }
}
