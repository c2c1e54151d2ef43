import type { Clock } from '../../ports/clock.ts'
import type { StatusChanges } from '../../ports/status-changes.ts'

/** Makes changes of status known; who has none tells nobody, neither endpoints nor streams. */
export interface Teller {
  readonly clock: Clock
  /** Gets the names of changes once they are committed. */
  readonly tell: StatusChanges['tell']
}
