import { runbookOf, type Level } from './alerts.ts'
import type { Vault } from './console-api.ts'

/** The thresholds in hours. They are the same as in `deploy/prometheus/alerts.yaml`. */
const LOW_HOURS = 48
const DRY_HOURS = 6
/** The maximum number of hours that the service reports. This number means a month or more. */
const MONTH_HOURS = 720
const DAY_HOURS = 24

/** How long an inventory will last, in words. */
export function lastsText(hours: number | null | undefined): string {
  if (hours === undefined) return 'unknown'
  if (hours === null) return 'not for swaps'
  if (hours >= MONTH_HOURS) return 'a month or more'
  if (hours === 0) return 'less than an hour'
  return hours > DAY_HOURS ? `${hours / DAY_HOURS} days` : `${hours} h`
}

/** A finding about an inventory that swaps will soon use up. */
export interface InventorySign {
  readonly name: string
  readonly level: Level
  readonly text: string
  readonly runbook: string
}

/** One finding for each inventory that will last less than two days. */
export function inventorySigns(vaults: readonly Vault[]): InventorySign[] {
  return vaults.flatMap(({ symbol, dryHours }) => {
    if (dryHours === undefined || dryHours === null || dryHours >= LOW_HOURS) return []
    const level: Level = dryHours < DRY_HOURS ? 'bad' : 'warn'
    const text = `at the present rate, the inventory in ${symbol} lasts ${lastsText(dryHours)}`
    return [{ name: 'Swaps:', level, text, runbook: runbookOf('inventory_low') }]
  })
}
