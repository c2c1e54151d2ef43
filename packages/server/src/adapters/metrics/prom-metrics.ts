import { Counter, Histogram, Registry } from 'prom-client'
import type { ServiceLog } from '../../ports/service-log.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'

type Log = ServiceLog & SettlementLog

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/** Counts what is logged; labels are routes, statuses and codes, never ids. */
export function withMetrics(log: Log): {
  readonly log: Log
  readonly registry: Registry
  /** Alerts since the start. */
  readonly alerts: () => ReadonlyMap<string, number>
} {
  const raised = new Map<string, number>()
  const registry = new Registry()
  const registers = [registry]
  const requests = new Histogram({
    name: 'sotto_http_request_seconds',
    help: 'Time to answer a request.',
    labelNames: ['method', 'route', 'status'],
    buckets: SECONDS,
    registers,
  })
  const count = (name: string, help: string, label: string) =>
    new Counter({ name, help, labelNames: [label], registers })
  const alerts = count('sotto_alerts_total', 'What an operator must look at.', 'code')
  const failures = count('sotto_failures_total', 'Steps that failed and are tried again.', 'step')
  const events = count('sotto_events_total', 'Milestones of settlement and service.', 'name')
  return {
    registry,
    alerts: () => raised,
    log: {
      request: (entry) => {
        const { method, route, status, ms } = entry
        requests.observe({ method, route, status }, ms / 1_000)
        log.request(entry)
      },
      failed: (step, error, requestId?: string) => {
        failures.inc({ step })
        log.failed(step, error, requestId)
      },
      event: (name, facts?: Readonly<Record<string, string | number>>) => {
        events.inc({ name })
        log.event(name, facts)
      },
      alert: (code) => {
        alerts.inc({ code })
        raised.set(code, (raised.get(code) ?? 0) + 1)
        log.alert(code)
      },
    },
  }
}
