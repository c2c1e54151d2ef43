import { showSeconds } from '../../look/durations.ts'
import { meaningOf, rankOf, runbookOf, type Level } from './alerts.ts'
import type { Overview, Trouble } from './console-api.ts'
import { inventorySigns } from './inventory.ts'

/** One finding about the service's health. */
export interface Sign {
  readonly name: string
  readonly level: Level
  readonly text: string
  /** URL of the page that says what to do; undefined if there is nothing to do. */
  readonly runbook?: string
}

/**
 * If the chain was last followed longer ago than this, the console warns. A worker's round takes less time than this,
 * even if the worker repeats the round.
 */
const FOLLOWED_SECONDS = 60
/**
 * Allowed difference between a cluster's clock and the wall clock, in seconds. Like the service, the console adds it to
 * `unfollowedSeconds`.
 */
const CLOCK_MARGIN_SECONDS = 120
/**
 * If the last check of the relayers is older than this, the console warns. If it is older than ten minutes, the
 * console shows an error. Workers check their relayers every 15 seconds.
 */
const RELAYERS_SECONDS = 180
const RELAYERS_LOST_SECONDS = 600
/**
 * If the last comparison of the books is older than this, the console warns. By default, upkeep compares the books
 * every two minutes.
 */
const BOOKS_SECONDS = 900
/**
 * If the oldest order is late by this much, the console warns. At the second threshold, it shows an error. The alerts
 * for overdue orders use the same thresholds.
 */
const OVERDUE_SECONDS = 300
const STUCK_SECONDS = 3_600
/** A problem disappears this many seconds after its last occurrence, except an alert of level `bad`. */
const KEPT_SECONDS = 86_400

const GRAVITY = { bad: 0, warn: 1, good: 2 } as const

const ageOf = (at: string, now: string): number => (Date.parse(at) - Date.parse(now)) / -1_000
const ago = (seconds: number): string => `${showSeconds(Math.max(1, seconds))} ago`

/** The most serious of several levels. */
export const worstOf = (levels: readonly Level[]): Level =>
  levels.reduce((worst, level) => (GRAVITY[level] < GRAVITY[worst] ? level : worst), 'good')

/**
 * Problems that are still relevant. Alerts of level `bad` stay as long as the process runs. All other problems stay for
 * a day after their last occurrence. Alerts come first, the most serious on top. After them come errors that were
 * retried, the newest on top.
 */
export function troublesOf({ takenAt, troubles }: Overview): Trouble[] {
  const isKept = ({ kind, code, at }: Trouble) =>
    (kind === 'alert' && meaningOf(code).level === 'bad') || ageOf(at, takenAt) < KEPT_SECONDS
  const kept = troubles.filter(isKept)
  const alerts = kept.filter(({ kind }) => kind === 'alert')
  return [
    ...alerts.sort((one, other) => rankOf(one.code) - rankOf(other.code)),
    ...kept.filter(({ kind }) => kind === 'failure'),
  ]
}

/**
 * All findings of the console, the most serious first. An alert has the level of its worst case.
 * `trouble` is the reason why the figures aren't current; undefined if they are.
 */
export function signsOf(overview: Overview, trouble?: string): Sign[] {
  const alerts = troublesOf(overview).filter(({ kind }) => kind === 'alert')
  const signs = [
    ...(trouble === undefined
      ? []
      : [{ name: 'This page', level: 'bad', text: 'shows old figures' } as const]),
    ...alerts.map(({ code }): Sign => {
      const { level, text } = meaningOf(code)
      return { name: 'Alert:', level, text, runbook: runbookOf(code) }
    }),
    ...vaultSigns(overview),
    chainSign(overview),
    booksSign(overview),
    relayersSign(overview),
    ...lateSigns(overview),
    ...payeesSigns(overview),
  ]
  // The sort is stable. So at the same level, the finding about new orders comes first, and alerts come before the
  // findings that they cause.
  return [ordersSign(overview, signs), ...signs].sort(
    (one, other) => GRAVITY[one.level] - GRAVITY[other.level],
  )
}

/** Whether the service accepts new orders. If not, the finding names the cause. */
function ordersSign({ health }: Overview, signs: readonly Sign[]): Sign {
  const name = 'New orders'
  if (health.halted !== null) {
    return { name, level: 'bad', text: `are halted: ${health.halted}`, runbook: halted }
  }
  const cause = signs.find((one) => one.level === 'bad' && ['Chain', 'Relayers'].includes(one.name))
  if (cause === undefined) return { name, level: 'good', text: 'are taken' }
  return { name, level: 'bad', text: `are refused: ${cause.name.toLowerCase()}`, runbook: halted }
}

const halted = runbookOf('orders_halted')

function vaultSigns({ vaults }: Overview): Sign[] {
  if (vaults === null) {
    return [
      { name: 'Vaults', level: 'warn', text: 'can’t be read', runbook: runbookOf('node_down') },
    ]
  }
  const signs = inventorySigns(vaults)
  const short = vaults.filter(({ covers }) => !covers).map(({ symbol }) => symbol)
  if (short.length === 0) return signs
  const text = `are SHORT: ${short.join(', ')}`
  return [{ name: 'Vaults', level: 'bad', text, runbook: runbookOf('books_differ') }, ...signs]
}

function chainSign({ takenAt, cluster, health }: Overview): Sign {
  const { followed, unfollowedSeconds } = health
  const [name, runbook] = ['Chain', runbookOf('chain_not_followed')]
  if (followed === undefined) return { name, level: 'bad', text: 'was never followed', runbook }
  const age = ageOf(followed.at, takenAt)
  const text = `followed to slot ${followed.slot}, ${ago(age)}`
  if (age >= unfollowedSeconds) return { name, level: 'bad', text: `not ${text}`, runbook }
  const old = ageOf(followed.chainTime, takenAt)
  // Don't check this on a local chain, because tests set its clock.
  if (cluster !== 'localnet' && old >= unfollowedSeconds + CLOCK_MARGIN_SECONDS) {
    const cause = `the newest block is ${showSeconds(old)} old`
    return { name, level: 'bad', text: `not followed: ${cause}`, runbook }
  }
  return age > FOLLOWED_SECONDS
    ? { name, level: 'warn', text, runbook }
    : { name, level: 'good', text }
}

function booksSign({ takenAt, health: { books } }: Overview): Sign {
  const name = 'Books'
  const runbook = runbookOf('books_unchecked')
  if (books === undefined) return { name, level: 'warn', text: 'were never compared', runbook }
  const age = ageOf(books.at, takenAt)
  if (!books.agree) {
    return { name, level: 'bad', text: `DIFFER, ${ago(age)}`, runbook: runbookOf('books_differ') }
  }
  const text = `agree, ${ago(age)}`
  return age > BOOKS_SECONDS
    ? { name, level: 'warn', text, runbook }
    : { name, level: 'good', text }
}

function relayersSign({ takenAt, health: { liquidity } }: Overview): Sign {
  const [name, silent] = ['Relayers', runbookOf('workers_silent')]
  if (liquidity === undefined) {
    return { name, level: 'warn', text: 'were not checked yet', runbook: silent }
  }
  const age = ageOf(liquidity.at, takenAt)
  if (!liquidity.isLiquid) {
    return { name, level: 'bad', text: `are LOW, ${ago(age)}`, runbook: runbookOf('relayers_low') }
  }
  const text = `can pay, ${ago(age)}`
  if (age < RELAYERS_SECONDS) return { name, level: 'good', text }
  return { name, level: age < RELAYERS_LOST_SECONDS ? 'warn' : 'bad', text, runbook: silent }
}

/** The level of the oldest order's delay. */
export function lateLevel(seconds: number): Level {
  if (seconds < OVERDUE_SECONDS) return 'good'
  return seconds < STUCK_SECONDS ? 'warn' : 'bad'
}

function lateSigns({ settlement }: Overview): Sign[] {
  const late = settlement?.overdueSeconds ?? 0
  const level = lateLevel(late)
  if (level === 'good') return []
  const text = `late by at least ${showSeconds(late)}`
  return [{ name: 'The oldest order', level, text, runbook: runbookOf('orders_overdue') }]
}

function payeesSigns({ health }: Overview): Sign[] {
  if (health.hasPaidPayees) return []
  const text = 'are missing, so every quote states one wallet'
  return [
    { name: 'Earlier payees', level: 'warn', text, runbook: runbookOf('paid_payees_missing') },
  ]
}
