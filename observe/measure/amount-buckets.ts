import { inSeries, powerOfTen } from '../infer/amounts.ts'
import { grouped, summariseScored, type ScoredPayment, type ScoredSummary } from './summaries.ts'

const ASSET_SHOWN = 4

/**
 * One summary for each asset, power of ten of the delivered amount, and class of the amount. The class is `series` for
 * the round amounts that quotes suggest, and `other` for all others. Transfers and payments out of balances are
 * summarised separately, because only transfers need other deposits of the same amount to be hidden.
 */
export function summariseBuckets(scored: readonly ScoredPayment[]): ScoredSummary[] {
  const nameOf = ({ chances: { settlement }, truth }: ScoredPayment): string => {
    const { asset, payout } = settlement
    const source = BALANCE_WAYS.has(truth.way) ? 'balance' : 'transfer'
    const power = powerOfTen(payout)
    const range = `10^${twoDigits(power)} to 10^${twoDigits(power + 1)}`
    const amounts = inSeries(payout) ? 'series' : 'other'
    return `${source}, ${asset.slice(0, ASSET_SHOWN)}, ${range}, ${amounts}`
  }
  return grouped(scored, nameOf).map(([name, group]) => summariseScored(name, group))
}

/** Groups are sorted by name, so all powers are written with two digits. */
const twoDigits = (power: number): string => `${power}`.padStart(2, '0')

const BALANCE_WAYS: ReadonlySet<string> = new Set(['balance', 'fresh', 'waiting', 'payroll'])
