import type { Clock } from '../../ports/clock.ts'
import type { ServiceLog } from '../../ports/service-log.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { Trouble, TroubleList } from '../../ports/trouble-list.ts'

type Log = ServiceLog & SettlementLog

/** Wraps a log, and remembers the newest alert of each code and the newest failure of each step. */
export function withTroubles<Of extends Log>(
  log: Of,
  clock: Clock,
): { readonly log: Of; readonly troubles: TroubleList } {
  const known = new Map<string, Trouble>()
  const note = (kind: Trouble['kind'], code: string) => {
    const count = (known.get(`${kind} ${code}`)?.count ?? 0) + 1
    known.set(`${kind} ${code}`, { kind, code, count, lastAtMs: clock.nowMs() })
  }
  return {
    troubles: () => [...known.values()].sort((one, other) => other.lastAtMs - one.lastAtMs),
    log: {
      ...log,
      failed: (step, error, requestId?: string) => {
        note('failure', step)
        log.failed(step, error, requestId)
      },
      alert: (code, pseudonym) => {
        note('alert', code)
        log.alert(code, pseudonym)
      },
    },
  }
}
