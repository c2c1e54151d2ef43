import type { Sightings } from '../chain/sightings.ts'
import type { Finding } from './finding.ts'

const GRID = 600
/** The time between a proof and its landing is usually at most this many seconds. A longer time is suspicious. */
const LANDING_MAX = 150
/** Retries and recoveries can explain exceptions up to this share of all settlements. */
const EXCEPTIONS = 0.05

const percent = (part: number, whole: number): string => `${Math.round((100 * part) / whole)} %`

/** Finds deadlines that reveal the exact second of the order. */
export function findDeadlines({ deposits }: Sightings): Finding[] {
  const off = deposits.filter(({ deadline }) => deadline % GRID !== 0).length
  if (off === 0) return []
  const seen = `${off} of ${deposits.length} deadlines lie off the grid of ${GRID} seconds`
  return [{ leak: 'deadline-second', seen, chance: 0 }]
}

/** Finds public times of settlements that depend on more than the time of landing. */
export function findPublicTimes({ settlements }: Sightings): Finding[] {
  const payments = settlements.filter(({ isRefund }) => !isRefund)
  const strange = payments.filter(
    ({ time, seconds }) =>
      time % GRID !== 0 || time < seconds || time > seconds + GRID + LANDING_MAX,
  ).length
  if (strange <= payments.length * EXCEPTIONS) return []
  const seen = `the public time of ${percent(strange, payments.length)} of the settlements is not the next one on the grid`
  return [{ leak: 'public-time', seen, chance: 0 }]
}

/**
 * Finds roots that were already old when the settlement landed. An old root reduces the number of deposits from which
 * the settlement can come.
 */
export function findRoots({ settlements, leafSeconds }: Sightings): Finding[] {
  const rooted = settlements.filter(({ isRefund, rootLeaf }) => !isRefund && rootLeaf !== undefined)
  const old = rooted.filter(({ rootLeaf = 0, leafIndex, seconds }) => {
    const next = rootLeaf + 1
    return next < leafIndex && seconds - (leafSeconds[next] ?? seconds) > LANDING_MAX
  }).length
  if (old <= rooted.length * EXCEPTIONS) return []
  const seen = `${percent(old, rooted.length)} of the settlements use a root that was old when they landed`
  return [{ leak: 'early-root', seen, chance: 0 }]
}
