import { createHash, timingSafeEqual } from 'node:crypto'
import type { Runway } from '../../ports/inventory-store.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import type { SettlementReport } from '../../ports/settlement-gauges.ts'

/** The sources of the data that the operator's endpoint shows. */
export interface OperatorStatusSource {
  /** Undefined if this process doesn't settle orders, or if it hasn't reported yet. */
  readonly settlement: () => SettlementReport | undefined
  /** Number of alerts since the process started, by code. */
  readonly alerts: () => ReadonlyMap<string, number>
  readonly readRunways: () => MaybePromise<readonly Runway[]>
}

/**
 * Creates the JSON document at `/operator`. Amounts are strings of digits, and each alert names its runbook. If the
 * database or the chain doesn't answer, `inventory` is null.
 */
export async function operatorStatus(source: OperatorStatusSource): Promise<object> {
  const report = source.settlement()
  const alerts = [...source.alerts()].map(([code, count]) => ({
    code,
    count,
    runbook: runbookOf(code),
  }))
  const inventory = await readInventory(source)
  if (report === undefined) return { settlement: null, inventory, alerts }
  const { balances, affordable, affordableOf: _ofEach, unitPrice, ...rest } = report
  const settlement = {
    relayers: balances.map((lamports, index) => ({ index, lamports: `${lamports}` })),
    affordable: `${affordable}`,
    unitPrice: `${unitPrice}`,
    ...rest,
    lastDeliveryHours: report.lastDeliveryHours ?? null,
  }
  return { settlement, inventory, alerts }
}

async function readInventory({ readRunways }: OperatorStatusSource): Promise<object[] | null> {
  try {
    return (await readRunways()).map(({ symbol, hours }) => ({ asset: symbol, dryHours: hours }))
  } catch {
    return null
  }
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
