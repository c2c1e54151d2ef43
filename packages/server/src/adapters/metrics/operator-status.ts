import { createHash, timingSafeEqual } from 'node:crypto'
import type { SettlementReport } from '../../ports/settlement-gauges.ts'

/** What the operator's endpoint answers from. */
export interface OperatorStatusSource {
  /** Undefined where this process settles nothing, or hasn't looked yet. */
  readonly settlement: () => SettlementReport | undefined
  /** Alerts since the process started. */
  readonly alerts: () => ReadonlyMap<string, number>
}

/** The JSON document behind `/operator`: amounts as digits, alerts with their runbooks. */
export function operatorStatus(source: OperatorStatusSource): object {
  const report = source.settlement()
  const alerts = [...source.alerts()].map(([code, count]) => ({
    code,
    count,
    runbook: runbookOf(code),
  }))
  if (report === undefined) return { settlement: null, alerts }
  const { balances, affordable, affordableOf: _ofEach, ...rest } = report
  const settlement = {
    relayers: balances.map((lamports, index) => ({ index, lamports: `${lamports}` })),
    affordable: `${affordable}`,
    ...rest,
    lastDeliveryHours: report.lastDeliveryHours ?? null,
  }
  return { settlement, alerts }
}

/** Where an alert's page stands in the repository. */
export function runbookOf(code: string): string {
  return `docs/runbooks/${code.replaceAll('_', '-')}.md`
}

/** True where a request carries the operator's token; takes the same time whatever it carries. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
