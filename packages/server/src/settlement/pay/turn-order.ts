import type { UnixSeconds } from '@sotto/protocol'
import { waitEnd } from '../../domain/crowd.ts'
import type { Random } from '../../ports/random.ts'
import type { NextStep } from './next-step.ts'
import { deliverableUntil, type OpenedOrder } from './opened-order.ts'
import { shuffled } from './shuffled.ts'

/** An order with its next step. */
export interface DueOrder {
  readonly opened: Pick<OpenedOrder, 'terms' | 'plan' | 'note' | 'payment'>
  readonly step: NextStep
}

/** The times by which turns are decided. */
export interface TurnTimes {
  /** The chain's clock, in seconds since 1970. */
  readonly clock: UnixSeconds
  /** Seconds from an order's start to its landing while all places are taken. */
  readonly startSeconds: bigint
}

/** Deliveries that must start within this time come before the others. */
const SOON_SECONDS = 600n
/** Number of neighbouring orders that are shuffled together. */
const GROUP = 8

/**
 * The sequence in which due orders are started. Transfers and payments alternate, so that neither kind waits for all of
 * the other. Within each kind, the orders that must land soon come first, sorted by their ends, because a payment lives
 * only for minutes and could expire in a long queue. Then come the others, in the sequence in which they became due, so
 * that a queue delays all of them equally. A delivery that can hardly land in time comes last, because its proof would
 * delay deliveries that can still land. The delays were drawn at random, so this isn't the sequence of the deposits.
 * Small groups are shuffled as well.
 */
export function inTurns<Due extends DueOrder>(
  random: Random,
  due: readonly Due[],
  times: TurnTimes,
): Due[] {
  const isPayment = ({ opened }: Due) => opened.payment !== undefined
  return alternating(
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
 * The last second in which a delivery may start. A transfer that is refunded without its crowd must start before its
 * wait ends.
 */
const startableUntil = ({ terms, ...opened }: DueOrder['opened']): UnixSeconds =>
  terms.crowd?.missed === 'refund' ? waitEnd(opened.note.expiry) : deliverableUntil(opened)

/** Shuffles each group of neighbours. */
function inGroups<Item>(random: Random, sorted: readonly Item[]): Item[] {
  return Array.from({ length: Math.ceil(sorted.length / GROUP) }, (_, place) =>
    shuffled(random, sorted.slice(place * GROUP, (place + 1) * GROUP)),
  ).flat()
}

/** Takes items from both lists in turns, and at the end the rest of the longer list. */
function alternating<Item>(left: readonly Item[], right: readonly Item[]): Item[] {
  const length = Math.max(left.length, right.length)
  return Array.from({ length }, (_, place) => [
    ...left.slice(place, place + 1),
    ...right.slice(place, place + 1),
  ]).flat()
}
