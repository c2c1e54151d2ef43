import { createHash, timingSafeEqual } from 'node:crypto'
import type { SettlementReport } from '../../ports/settlement-gauges.ts'

/** The data of the operator's endpoint. */
export interface OperatorStatusSource {
  /** Undefined if this process doesn't settle orders, or hasn't reported yet. */
  readonly settlement: () => SettlementReport | undefined
  /** Alerts since the process started. */
  readonly alerts: () => ReadonlyMap<string, number>
}

/** The JSON document at `/operator`. Amounts are strings of digits, and each alert names its runbook. */
export function operatorStatus(source: OperatorStatusSource): object {
  const report = source.settlement()
  const alerts = [...source.alerts()].map(([code, count]) => ({
    code,
    count,
    runbook: runbookOf(code),
  }))
  if (report === undefined) return { settlement: null, alerts }
  const { balances, affordable, affordableOf: _ofEach, unitPrice, ...rest } = report
  const settlement = {
    relayers: balances.map((lamports, index) => ({ index, lamports: `${lamports}` })),
    affordable: `${affordable}`,
    unitPrice: `${unitPrice}`,
    ...rest,
    lastDeliveryHours: report.lastDeliveryHours ?? null,
  }
  return { settlement, alerts }
}

/** The path of an alert's runbook in the repository. */
export function runbookOf(code: string): string {
  return `docs/runbooks/${code.replaceAll('_', '-')}.md`
}

/** True if a request has the operator's token. The comparison takes constant time. */
export function carriesToken(header: string | undefined, token: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(header ?? ''), digest(`Bearer ${token}`))
}
