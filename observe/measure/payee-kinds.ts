import { grouped, summariseScored, type ScoredPayment, type ScoredSummary } from './summaries.ts'

const ONCE = 'paid once by this wallet'
const FRESH = 'also paid right after a top-up'
const TRANSFER = 'also paid by a transfer'
const AT_REST = 'paid several times, always out of balances'

const TRANSFERS: ReadonlySet<string> = new Set(['transfer', 'patient', 'crowd', 'missed'])

/**
 * Summarises payments out of balances at rest, by the other payments of the same wallet to the same payee. A payment
 * right after a top-up, or a transfer, links the wallet with the payee, and so reveals the wallet's other payments to
 * this payee. If a payee is paid in both ways, its payments belong to the group of payments right after a top-up.
 */
export function summarisePayees(scored: readonly ScoredPayment[]): ScoredSummary[] {
  const waysTo = new Map<string, string[]>()
  const pairOf = ({ wallet, chances }: ScoredPayment): string =>
    `${wallet} ${chances.settlement.payee}`
  for (const one of scored) {
    const ways = waysTo.get(pairOf(one)) ?? []
    waysTo.set(pairOf(one), [...ways, one.truth.way])
  }
  const kindOf = (one: ScoredPayment): string => {
    const ways = waysTo.get(pairOf(one)) ?? []
    if (ways.length === 1) return ONCE
    if (ways.includes('fresh')) return FRESH
    return ways.some((way) => TRANSFERS.has(way)) ? TRANSFER : AT_REST
  }
  const atRest = scored.filter(
    ({ truth }) => truth.way === 'balance' && truth.amountKind !== 'rest',
  )
  return grouped(atRest, kindOf).map(([name, group]) => summariseScored(name, group))
}
