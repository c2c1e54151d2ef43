import { Counter, Registry } from 'prom-client'
import { ALERT_CODES, EVENT_NAMES, STEP_NAMES } from '../../domain/log-names.ts'
import type { EventFacts, ServiceLog } from '../../ports/service-log.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { durations } from './durations.ts'

type Log = ServiceLog & SettlementLog

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5]

/**
 * Creates a counter with one label. Each value of the label has a series from the start, with the value zero. If a
 * series appeared only with its first count, an alert rule on the counter's growth would miss that count.
 */
function counter<Label extends string, Value extends string>(
  registry: Registry,
  of: { readonly name: string; readonly help: string; readonly label: Label },
  values: readonly Value[],
): (value: Value) => void {
  const { name, help, label } = of
  const made = new Counter({ name, help, labelNames: [label], registers: [registry] })
  const children = new Map(values.map((value) => [value, made.labels(value)]))
  for (const child of children.values()) child.inc(0)
  // A value that isn't listed is ignored. Otherwise the metrics could show an id.
  return (value) => children.get(value)?.inc()
}

/**
 * Counts the requests, failures, milestones and alerts that are logged. Labels are routes, statuses and codes, but
 * never ids.
 */
export function withMetrics(log: Log): {
  readonly log: Log
  readonly registry: Registry
  /** Number of alerts since the process started, by code. */
  readonly alerts: () => ReadonlyMap<string, number>
} {
  const raised = new Map<string, number>()
  const registry = new Registry()
  const requests = durations(
    {
      name: 'sotto_http_request_seconds',
      help: 'Time to answer a request, by the pattern of its route.',
      labelNames: ['method', 'route', 'status'],
      ends: SECONDS,
    },
    registry,
  )
  const count = <Value extends string>(
    name: string,
    help: string,
    label: string,
    values: readonly Value[],
  ) => counter(registry, { name, help, label }, values)
  const help = 'Alerts that an operator must act on; each code has a runbook.'
  const alerts = count('sotto_alerts_total', help, 'code', ALERT_CODES)
  const failures = count(
    'sotto_failures_total',
    'Steps that failed. Steps of loops are repeated.',
    'step',
    STEP_NAMES,
  )
  const events = count(
    'sotto_events_total',
    'Milestones of settlement and service. Milestones of webhooks are counted at the end of the hour.',
    'name',
    EVENT_NAMES,
  )
  return {
    registry,
    alerts: () => raised,
    log: {
      request: (entry) => {
        const { method, route, status } = entry
        requests(entry.ms / 1_000, { method, route, status: `${status}` })
        log.request(entry)
      },
      failed: (step, error, requestId?: string) => {
        failures(step)
        log.failed(step, error, requestId)
      },
      event: (name, facts?: EventFacts) => {
        events(name)
        log.event(name, facts)
      },
      alert: (code, pseudonym) => {
        alerts(code)
        raised.set(code, (raised.get(code) ?? 0) + 1)
        log.alert(code, pseudonym)
      },
    },
  }
}
