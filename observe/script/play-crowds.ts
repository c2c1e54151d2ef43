import {
  BEFORE_EXPIRY_SECONDS,
  MISSED_SECONDS,
  type CrowdWish,
} from '../../packages/server/src/domain/crowd.ts'
import { truncatedMeanSeconds } from '../../packages/server/src/domain/delivery-schedule.ts'
import { drawDelayMs } from '../../packages/server/src/domain/draw-delay.ts'
import { wholeNumber } from '../../packages/server/src/domain/whole-number.ts'
import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import { DEFAULT_DELAYS, DELAY_LAW } from './behaviour.ts'
import { PublicHistory } from './public-history.ts'
import type { CrowdOutcome, DepositEvent, ScriptEvent, SettlementEvent } from './script-events.ts'

/** A deposited transfer that waits for its crowd. */
export interface WaitingTransfer {
  readonly deposit: DepositEvent
  readonly wish: CrowdWish
  /** The settlement that ends the wait. */
  readonly settle: (seconds: number, outcome: CrowdOutcome) => SettlementEvent
}

/** Seconds between two counts of a crowd. The service counts at most every five seconds. */
const COUNT_SECONDS = 10
/** A count may be late by this many seconds. So the first count is planned at least this long before the wait ends. */
const LATE_COUNT_SECONDS = 30
const MEAN_SECONDS = Math.ceil(truncatedMeanSeconds(DELAY_LAW, DEFAULT_DELAYS))
/**
 * Minimum and maximum seconds from a note's expiry to its refund. A refund can't start before the first grid time after
 * the expiry.
 */
const REFUNDING: readonly [number, number] = [602, 660]

interface Waiting extends WaitingTransfer {
  /** The time of the next count. */
  atSeconds: number
  /** True during the delay that was drawn when the crowd became complete. */
  isDrawn: boolean
}

/**
 * Plays the service's rule for crowds (decision 60). The service counts each crowd from the public facts of the script.
 * When a crowd is complete, the service draws a delay, and counts again when the delay ends. Ten minutes before the
 * expiry, the wait ends. Returns the settlements of the waiting transfers. A delivery changes the results of all later
 * counts.
 */
export function playCrowds(
  events: readonly ScriptEvent[],
  transfers: readonly WaitingTransfer[],
  random: SeededRandom,
): SettlementEvent[] {
  const history = new PublicHistory(events)
  const settled: SettlementEvent[] = []
  const waiting: Waiting[] = transfers.map((one) => ({ ...one, ...firstCount(one, random) }))
  while (waiting.length > 0) {
    const next = waiting.reduce((left, right) => (right.atSeconds < left.atSeconds ? right : left))
    const outcome = count(history, next, random)
    if (outcome === undefined) continue
    waiting.splice(waiting.indexOf(next), 1)
    const settlement = next.settle(endSeconds(next, outcome, random), outcome)
    history.add(settlement)
    settled.push(settlement)
  }
  return settled
}

const waitEnd = ({ deposit }: WaitingTransfer): number =>
  deposit.expiry - wholeNumber(BEFORE_EXPIRY_SECONDS)

function firstCount(transfer: WaitingTransfer, random: SeededRandom) {
  const { seconds } = transfer.deposit
  const room = waitEnd(transfer) - seconds - MEAN_SECONDS - LATE_COUNT_SECONDS
  return { atSeconds: seconds + drawDelay(room, random), isDrawn: false }
}

function drawDelay(roomSeconds: number, random: SeededRandom): number {
  const width = Math.max(0, Math.min(roomSeconds, DEFAULT_DELAYS.maxDelaySeconds))
  return Math.round(drawDelayMs(random, width * 1_000, DEFAULT_DELAYS.meanSeconds * 1_000) / 1_000)
}

/** Counts the crowd of one transfer. Returns undefined if the transfer continues to wait. */
function count(
  history: PublicHistory,
  one: Waiting,
  random: SeededRandom,
): CrowdOutcome | undefined {
  const { atSeconds } = one
  const isTooLate = !one.isDrawn && waitEnd(one) - atSeconds < MEAN_SECONDS
  if (isTooLate) return one.wish.missed === 'deliver' ? 'delivered' : 'refunded'
  const stated = history.state(one.deposit, { atSeconds, isDeposited: true })
  const isThere = stated.anonymitySet >= one.wish.min
  if (isThere && one.isDrawn) return 'came'
  one.isDrawn = isThere
  one.atSeconds += isThere ? drawDelay(waitEnd(one) - atSeconds, random) : COUNT_SECONDS
  return undefined
}

function endSeconds(one: Waiting, outcome: CrowdOutcome, random: SeededRandom): number {
  if (outcome === 'came') return one.atSeconds
  if (outcome === 'delivered') return waitEnd(one) + random.below(MISSED_SECONDS)
  return one.deposit.expiry + random.between(...REFUNDING)
}
