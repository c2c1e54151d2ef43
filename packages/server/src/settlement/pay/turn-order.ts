import type { UnixSeconds } from '@sotto/protocol'
import { waitEnd } from '../../domain/crowd.ts'
import type { Random } from '../../ports/random.ts'
import type { NextStep } from './next-step.ts'
import { deliverableUntil, type OpenedOrder } from '../notes/opened-order.ts'
import { shuffled } from './shuffled.ts'

/** An order with its next step. */
export interface DueOrder {
  readonly opened: Pick<OpenedOrder, 'terms' | 'plan' | 'note' | 'payment'>
  readonly step: NextStep
}

/** The times that determine the sequence of orders. */
export interface TurnTimes {
  /** The chain's clock, in seconds since 1970. */
  readonly clock: UnixSeconds
  /**
   * Seconds from an order's start until its settlement lands, if the worker is already working on its maximum number of
   * orders.
   */
  readonly startSeconds: bigint
}

/** Deliveries and payments that must start within this time come before the other orders. */
const SOON_SECONDS = 600n
/** Number of neighbouring orders that are shuffled as one group. */
const GROUP = 8
/** At most this many orders of one kind are started in succession, while orders of the other kind wait. */
export const SAME_KIND_MAX = 6

/**
 * Returns the sequence in which due orders are started. Each place is given to a transfer or to a payment at random,
 * with equal chances. So no kind has to wait for all orders of the other kind. If transfers and payments alternated, an
 * observer could recognise a settlement's kind by its place. Within each kind there are three groups:
 *
 * - First come the deliveries and payments that must start soon, sorted by their last possible start. A payment's
 *   signature is valid only for minutes, so a payment could expire in a long queue.
 * - The other orders follow, in the sequence in which they became due. So a queue delays all of them equally.
 * - Deliveries and payments that can hardly land in time come last. Their proofs would delay orders that can still
 *   land.
 *
 * Delays are drawn at random. So the sequence in which orders become due isn't the sequence of their deposits. Small
 * groups of neighbours are shuffled too.
 */
export function inTurns<Due extends DueOrder>(
  random: Random,
  due: readonly Due[],
  times: TurnTimes,
): Due[] {
  const isPayment = ({ opened }: Due) => opened.payment !== undefined
  return mixed(
    random,
    ofOneKind(random, due.filter(isPayment), times),
    ofOneKind(
      random,
      due.filter((one) => !isPayment(one)),
      times,
    ),
  )
}

function ofOneKind<Due extends DueOrder>(
  random: Random,
  due: readonly Due[],
  { clock, startSeconds }: TurnTimes,
): Due[] {
  const soon: Due[] = []
  const others: Due[] = []
  const late: Due[] = []
  for (const one of due) {
    const left = deliverableUntil(one.opened) - clock
    if (one.step !== 'deliver' || startableUntil(one.opened) - clock > SOON_SECONDS)
      others.push(one)
    else if (left < startSeconds) late.push(one)
    else soon.push(one)
  }
  const becameDue = ({ opened }: Due) => opened.plan.deliverAtMs
  const byDue = (left: Due, right: Due) => becameDue(left) - becameDue(right)
  const byEnd = (left: Due, right: Due) => {
    const [end, other] = [startableUntil(left.opened), startableUntil(right.opened)]
    if (end === other) return byDue(left, right)
    return end < other ? -1 : 1
  }
  return [
    ...inGroups(random, soon.sort(byEnd)),
    ...inGroups(random, others.sort(byDue)),
    ...inGroups(random, late.sort(byDue)),
  ]
}

/**
 * Returns the last second in which a delivery may start. If a missed crowd leads to a refund, the delivery must start
 * before the wait for the crowd ends.
 */
const startableUntil = ({ terms, ...opened }: DueOrder['opened']): UnixSeconds =>
  terms.crowd?.missed === 'refund' ? waitEnd(opened.note.expiry) : deliverableUntil(opened)

/** Shuffles each group of `GROUP` neighbours. */
function inGroups<Item>(random: Random, sorted: readonly Item[]): Item[] {
  return Array.from({ length: Math.ceil(sorted.length / GROUP) }, (_, place) =>
    shuffled(random, sorted.slice(place * GROUP, (place + 1) * GROUP)),
  ).flat()
}

/**
 * Mixes two lists at random, and keeps the sequence of each list. While both lists have items, at most `SAME_KIND_MAX`
 * items of one list follow each other. The rest of the longer list comes at the end.
 */
function mixed<Item>(random: Random, left: readonly Item[], right: readonly Item[]): Item[] {
  const sequence: Item[] = []
  let [lefts, rights] = [0, 0]
  let [isLeft, inSuccession] = [false, 0]
  while (lefts < left.length && rights < right.length) {
    const isNextLeft = inSuccession === SAME_KIND_MAX ? !isLeft : random.below(2) === 0
    inSuccession = isNextLeft === isLeft ? inSuccession + 1 : 1
    isLeft = isNextLeft
    sequence.push(...(isLeft ? left.slice(lefts, ++lefts) : right.slice(rights, ++rights)))
  }
  return [...sequence, ...left.slice(lefts), ...right.slice(rights)]
}
