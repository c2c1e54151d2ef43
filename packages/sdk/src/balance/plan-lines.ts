import type { Amount } from '@sotto/protocol'
/** A line that waits for a payment. */
export interface WaitingLine {
  readonly line: number
  /** Base units as the list names them: without the fee for `exact_out`. */
  readonly amount: Amount
}

/** The room that a balance still has for lines. */
export interface Room {
  /** Base units that are not needed for lines that the balance already has. */
  readonly left: bigint
  /** Number of lines that the balance already has. */
  readonly lines: number
  /** False if the balance is known to be too small for the line, fees included. */
  readonly mayHold: (line: number) => boolean
}

/**
 * `lines` maps each line to the index of the balance that pays it. `unplaced` is the largest line for which no balance
 * has room.
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

/** True if the first place is better than the second. */
type Preference = (one: Place, other: Place) => boolean

/**
 * Preferences that are tried one after the other, until all lines have a place. With the first, all balances pay at the
 * same time; the second spreads the lines by money; and the third uses up small rests.
 */
const PREFERENCES: readonly Preference[] = [
  (one, other) => one.lines < other.lines || (one.lines === other.lines && one.left > other.left),
  (one, other) => one.left > other.left,
  (one, other) => one.left < other.left,
]

/**
 * Decides which balance pays which line, the largest lines first. A line has only one balance, so some lists have no
 * plan although the sum of the balances would cover them. If there is a plan, this function usually finds one, but not
 * always.
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

/** Sorts the largest line first, and equal lines in the order of the list. */
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
