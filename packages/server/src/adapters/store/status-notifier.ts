import type { Clock } from '../../ports/clock.ts'
import type { StatusChanges } from '../../ports/status-changes.ts'

/** Announces changes of status to webhook endpoints and streams. A store that has no notifier announces nothing. */
export interface StatusNotifier {
  readonly clock: Clock
  /** Called with the names that the status changes have in the outbox, after the transaction is committed. */
  readonly notify: StatusChanges['notify']
}
