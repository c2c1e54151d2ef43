import { type Amount, amount } from '@sotto/protocol'
/** A line of the list with its cost. */
export interface CostlyLine {
  readonly line: number
  /** The most that the payment can take from the balance, in base units: the amount and the maximum fee. */
  readonly cost: bigint
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
  | { readonly kind: 'split'; readonly line: number }

/** Assigns each line to the first balance that still contains enough for the line's cost. */
export function planList(lines: readonly CostlyLine[], purses: readonly Purse[]): Plan {
  const total = lines.reduce((sum, { cost }) => sum + cost, 0n)
  const held = purses.reduce((sum, { left }) => sum + left, 0n)
  if (held < total) return { kind: 'short', missing: total - held }
  const left = purses.map((purse) => ({ ...purse }))
  const from: string[] = []
  for (const { line, cost } of lines) {
    const purse = left.find((one) => one.left >= cost)
    if (purse === undefined) return { kind: 'split', line }
    purse.left = amount(purse.left - cost)
    from.push(purse.name)
  }
  return { kind: 'planned', from }
}
