import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import { knownLinks, type KnownLink } from './dependences.ts'
import type { Sightings } from '../chain/sightings.ts'
import type { PaymentLinks } from '../infer/infer-links.ts'
import { CHANCE_MAX, type Finding } from './finding.ts'
import { shuffledChance } from './statistics.ts'

const TRANSFERS_MIN = 15
/**
 * Delays that differ by at most this many seconds count as equal. The times for proving and landing vary by this much.
 */
const WINDOW_SECONDS = 6
/** If more than this share of the delays lies within one window, the delays aren't random. */
const WINDOW_SHARE = 0.6

/** Finds delays that are always the same, and deliveries in the same order as their deposits. */
export function findDelays(
  sightings: Sightings,
  links: readonly PaymentLinks[],
  random: SeededRandom,
): Finding[] {
  const transfers = knownLinks(sightings, links).filter(({ isWhole }) => isWhole)
  if (transfers.length < TRANSFERS_MIN) return []
  return [...findFixed(transfers), ...findQueue(transfers, random)]
}

const delayOf = ({ settlement, deposit }: KnownLink): number => settlement.seconds - deposit.seconds

function findFixed(transfers: readonly KnownLink[]): Finding[] {
  const delays = transfers.map(delayOf).sort((left, right) => left - right)
  const within = (delay: number): number =>
    delays.filter((one) => one >= delay && one <= delay + WINDOW_SECONDS).length
  const [densest = 0] = [...delays].sort((left, right) => within(right) - within(left))
  const share = within(densest) / delays.length
  if (share <= WINDOW_SHARE) return []
  const seen = `${Math.round(share * 100)} % of the known delays lie between ${densest} and ${densest + WINDOW_SECONDS} seconds`
  return [{ leak: 'fixed-delay', seen, chance: 0 }]
}

/**
 * With random delays, some transfers overtake others. This test counts such pairs, and compares the number with the
 * number after the delays are shuffled.
 */
function findQueue(transfers: readonly KnownLink[], random: SeededRandom): Finding[] {
  const ordered = [...transfers].sort((left, right) => left.deposit.seconds - right.deposit.seconds)
  const made = ordered.map(({ deposit }) => deposit.seconds)
  const delays = ordered.map(delayOf)
  const kept = (deposits: readonly number[], waits: readonly number[]): number =>
    -overtakings(deposits, waits)
  const chance = shuffledChance(made, delays, kept, random)
  if (chance > CHANCE_MAX) return []
  const seen = `${overtakings(made, delays)} transfers overtake others, far fewer than with random delays`
  return [{ leak: 'fifo', seen, chance }]
}

/** The number of pairs in which the later deposit is paid out first. The times in `made` must ascend. */
function overtakings(made: readonly number[], delays: readonly number[]): number {
  let count = 0
  for (const [place, seconds] of made.entries()) {
    const paid = seconds + (delays[place] ?? 0)
    for (let later = place + 1; (made[later] ?? Infinity) < paid; later += 1) {
      if ((made[later] ?? 0) + (delays[later] ?? 0) < paid) count += 1
    }
  }
  return count
}
