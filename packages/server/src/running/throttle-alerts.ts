import type { Clock } from '../ports/clock.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'

/**
 * Interval at which a persistent fault is reported again, in milliseconds. If the interval were long, an operator could
 * believe that the fault is over.
 */
const REPEAT_MS = 60_000

/**
 * Forwards an alert at most once a minute for each code and order, because loops find the same fault several times a
 * second.
 */
export function throttleAlerts(log: SettlementLog, clock: Clock): SettlementLog {
  const raisedMs = new Map<string, number>()
  return {
    ...log,
    alert: (code, pseudonym) => {
      const nowMs = clock.nowMs()
      // If the clock was set back, the alert must still be reported.
      const isRecent = (atMs: number) => nowMs >= atMs && nowMs - atMs < REPEAT_MS
      for (const [key, atMs] of raisedMs) if (!isRecent(atMs)) raisedMs.delete(key)
      const key = `${code} ${pseudonym ?? ''}`
      if (raisedMs.has(key)) return
      raisedMs.set(key, nowMs)
      log.alert(code, pseudonym)
    },
  }
}
