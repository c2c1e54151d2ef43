import type { Amount } from '@sotto/protocol'
/** A line of the list that is not being paid yet. */
export interface WaitingLine {
  readonly line: number
  /** The amount in the list, in base units. For `exact_out`, the fee is not included. */
  readonly amount: Amount
}

/** How much more a balance can pay. */
export interface Room {
  /** Base units that remain after the lines that are already assigned to the balance. */
  readonly left: bigint
  /** Number of lines that are already assigned to the balance. */
  readonly lines: number
  /** False if the balance is known to be unable to pay the line and its fees. */
  readonly mayHold: (line: number) => boolean
}

/**
 * `lines` maps each line to the index of the balance that pays it. `unplaced` is the largest line for which the plan
 * has no balance; undefined if all lines have a balance.
 */
export interface LinePlan {
  readonly lines: ReadonlyMap<number, number>
  readonly unplaced: WaitingLine | undefined
}

interface Place {
  readonly index: number
  left: bigint
  lines: number
}

/** True if the first balance suits the next line better than the second balance does. */
type Preference = (one: Place, other: Place) => boolean

/**
 * The preferences are tried in this order until every line has a balance. The first preference gives the balances
 * equal numbers of lines as far as possible, so that all balances pay at the same time. The second prefers the balance
 * with the highest remaining value, and the third the balance with the lowest.
 */
const PREFERENCES: readonly Preference[] = [
  (one, other) => one.lines < other.lines || (one.lines === other.lines && one.left > other.left),
  (one, other) => one.left > other.left,
  (one, other) => one.left < other.left,
]

/**
 * Decides which balance pays which line, starting with the largest line. A line can't be split between balances. So
 * there may be no plan although the balances together contain enough. The function doesn't try every plan, so in rare
 * cases it misses an existing plan.
 */
export function planLines(waiting: readonly WaitingLine[], rooms: readonly Room[]): LinePlan {
  const largestFirst = [...waiting].sort(byAmount)
  let plan: LinePlan = { lines: new Map(), unplaced: undefined }
  for (const isBetter of PREFERENCES) {
    plan = place(largestFirst, rooms, isBetter)
    if (plan.unplaced === undefined) return plan
  }
  return plan
}

/** Sorts by amount, largest first. Lines with equal amounts stay in the order of the list. */
function byAmount(one: WaitingLine, other: WaitingLine): number {
  if (one.amount === other.amount) return 0
  return one.amount > other.amount ? -1 : 1
}

function place(
  waiting: readonly WaitingLine[],
  rooms: readonly Room[],
  isBetter: Preference,
): LinePlan {
  const places = rooms.map(({ left, lines }, index) => ({ index, left, lines }))
  const planned = new Map<number, number>()
  for (const { line, amount } of waiting) {
    let best: Place | undefined
    for (const one of places) {
      if (one.left < amount || rooms[one.index]?.mayHold(line) !== true) continue
      if (best === undefined || isBetter(one, best)) best = one
    }
    if (best === undefined) return { lines: planned, unplaced: { line, amount } }
    best.left -= amount
    best.lines += 1
    planned.set(line, best.index)
  }
  return { lines: planned, unplaced: undefined }
}
