import { type Amount, amount } from '@sotto/protocol'
/** A line of the list with its cost. */
export interface CostlyLine {
  readonly line: number
  /** The most that the payment can take from the balance, in base units: the amount and the maximum fee. */
  readonly cost: bigint
  /** The name of the only balance that may pay the line, if there is such a rule. */
  readonly only?: string | undefined
}

export interface Purse {
  readonly name: string
  /** The base units that the balance still contains. */
  readonly left: Amount
}

export type Plan =
  /** The name of the balance that pays each line, in the order of the lines. */
  | { readonly kind: 'planned'; readonly from: readonly string[] }
  /** All balances together contain too little. `missing` is the difference. */
  | { readonly kind: 'short'; readonly missing: bigint }
  /** The first line that no single balance can pay any more. A payment can't be split between balances. */
  | { readonly kind: 'split'; readonly line: number; readonly only?: string | undefined }

/**
 * Assigns each line to the first balance that still contains enough for the line's cost. Lines that only one balance
 * may pay come first, so that other lines don't use up its money.
 */
export function planList(lines: readonly CostlyLine[], purses: readonly Purse[]): Plan {
  const total = lines.reduce((sum, { cost }) => sum + cost, 0n)
  const held = purses.reduce((sum, { left }) => sum + left, 0n)
  if (held < total) return { kind: 'short', missing: total - held }
  const left = purses.map((purse) => ({ ...purse }))
  const payers = new Map<CostlyLine, string>()
  const bound = lines.filter(({ only }) => only !== undefined)
  const free = lines.filter(({ only }) => only === undefined)
  for (const one of [...bound, ...free]) {
    const { line, cost, only } = one
    const purse = left.find((two) => two.left >= cost && (only ?? two.name) === two.name)
    if (purse === undefined) return { kind: 'split', line, only }
    purse.left = amount(purse.left - cost)
    payers.set(one, purse.name)
  }
  return { kind: 'planned', from: lines.map((one) => payers.get(one) ?? '') }
}
