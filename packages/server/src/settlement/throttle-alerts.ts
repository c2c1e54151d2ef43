import type { Clock } from '../ports/clock.ts'
import type { AlertCode, SettlementLog } from '../ports/settlement-log.ts'

/** Often enough that nobody takes a lasting fault for a past one. */
const REPEAT_MS = 60_000

/** Passes each alert on at most once a minute: loops meet a lasting fault several times a second. */
export function throttleAlerts(log: SettlementLog, clock: Clock): SettlementLog {
  const raisedMs = new Map<AlertCode, number>()
  return {
    ...log,
    alert: (code) => {
      const before = raisedMs.get(code)
      const sinceMs = before === undefined ? REPEAT_MS : clock.nowMs() - before
      // A clock that was set back must not keep an alert silent.
      if (sinceMs >= 0 && sinceMs < REPEAT_MS) return
      raisedMs.set(code, clock.nowMs())
      log.alert(code)
    },
  }
}
