import { NOTHING, type UnixSeconds, sumOf, type Amount } from '@sotto/protocol'
import { showCoins, type BalanceAsset } from '../../balances/balance-asset.ts'
import { soonWarning } from '../../balances/soon-after-top-up.ts'
import { fieldsTable } from '../../output/table.ts'
import type { FundedBalance, PreparedList } from '../../payroll/prepare-list.ts'

/** The cost of a list. Amounts are in base units. */
export interface ListSummary {
  readonly list: string
  readonly lines: number
  readonly paidBefore: number
  /** The sum of the amounts of the unpaid lines. */
  readonly amount: Amount
  /** The sum of the unpaid lines' maximum fees. */
  readonly feesAtMost: Amount
  /** The greatest of the unpaid lines' maximum fees. */
  readonly feeAtMost: Amount
  /** The sum of all balances' values. */
  readonly held: Amount
  readonly balances: readonly string[]
  readonly warnings: readonly string[]
  /** True if the time of the payments would reveal a top-up. */
  readonly soonAfterTopUp: boolean
}

/** The balances that will pay the unpaid lines. */
export const payersOf = ({ lines }: PreparedList): string[] => [
  ...new Set(lines.filter(({ paid }) => paid === undefined).map(({ from }) => from)),
]

export function summaryOf(
  id: string,
  list: PreparedList,
  balances: readonly FundedBalance[],
  soonAfterTopUp: boolean,
): ListSummary {
  const { lines, warnings } = list
  const unpaid = lines.filter(({ paid }) => paid === undefined)
  return {
    ...{ list: id, lines: lines.length, paidBefore: lines.length - unpaid.length },
    amount: sumOf(unpaid.map(({ amount }) => amount)),
    feesAtMost: sumOf(unpaid.map(({ feeMax }) => feeMax)),
    feeAtMost: unpaid.reduce((most, { feeMax }) => (feeMax > most ? feeMax : most), NOTHING),
    held: sumOf(balances.map(({ left }) => left)),
    ...{ balances: payersOf(list), warnings, soonAfterTopUp },
  }
}

const PRIVACY =
  'the chain shows each recipient and amount, but not that one payer made these payments. Payments of a list follow ' +
  'each other within seconds, so an observer can guess that they belong together'

/**
 * The summary for the person who decides. After the time `quietFrom`, the time of a payment doesn't reveal the
 * top-up.
 */
export function showSummary(
  summary: ListSummary,
  asset: BalanceAsset,
  quietFrom: UnixSeconds | undefined,
): string {
  const { lines, paidBefore, amount, feesAtMost, feeAtMost, held, warnings } = summary
  const table = fieldsTable([
    ['list', summary.list],
    ['payments', `${lines - paidBefore} of ${lines}`],
    ['paid before', paidBefore === 0 ? undefined : `${paidBefore}`],
    ['pays', showCoins(amount, asset)],
    [
      'fees',
      `at most ${showCoins(feesAtMost, asset)}; one line at most ${showCoins(feeAtMost, asset)}`,
    ],
    ['balances', summary.balances.join(', ')],
    ['value', showCoins(held, asset)],
    ['rest', `at least ${showCoins(held - amount - feesAtMost, asset)}`],
    ['privacy', PRIVACY],
  ])
  const notes = warnings.map((warning) => `warning: ${warning}`)
  if (quietFrom !== undefined) notes.push(soonWarning(quietFrom))
  return [table, ...notes].join('\n')
}
