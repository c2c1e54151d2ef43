import { showSeconds } from '../../look/durations.ts'
import { meaningOf, rankOf, runbookOf, type Level } from './alerts.ts'
import type { Overview, Trouble } from './console-api.ts'

/** One thing that health is made of. */
export interface Sign {
  readonly name: string
  readonly level: Level
  readonly text: string
  /** The page that says what to do; undefined where nothing is. */
  readonly runbook?: string
}

/** Longer than a round of a worker that fails and tries again. */
const FOLLOWED_SECONDS = 60
/** Workers look at their relayers every 15 seconds; after ten minutes their word no longer counts. */
const RELAYERS_SECONDS = 180
const RELAYERS_LOST_SECONDS = 600
/** Upkeep compares the books every two minutes at most. */
const BOOKS_SECONDS = 900
/** As the alerts on overdue orders have it. */
const OVERDUE_SECONDS = 300
const STUCK_SECONDS = 3_600
/** What was only to be looked at is dropped a day after it was last seen. */
const KEPT_SECONDS = 86_400

const GRAVITY = { bad: 0, warn: 1, good: 2 } as const

const ageOf = (at: string, now: string): number => (Date.parse(at) - Date.parse(now)) / -1_000
const ago = (seconds: number): string => `${showSeconds(Math.max(1, seconds))} ago`

/** The worst of several levels. */
export const worstOf = (levels: readonly Level[]): Level =>
  levels.reduce((worst, level) => (GRAVITY[level] < GRAVITY[worst] ? level : worst), 'good')

/**
 * What went wrong and still matters: alerts of money at risk for as long as the process lives, the rest for
 * a day. Alerts first, the gravest before all; then what was tried again, the newest first.
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
 * All that the console judges, the gravest first: the alerts by what they can mean at worst, then the
 * service's own state. `trouble` says why the figures aren't of now.
 */
export function signsOf(overview: Overview, trouble?: string): Sign[] {
  const alerts = troublesOf(overview).filter(({ kind }) => kind === 'alert')
  const signs = [
    ...(trouble === undefined
      ? []
      : [{ name: 'This page', level: 'bad', text: 'is old' } as const]),
    ...alerts.map(({ code }): Sign => {
      const { level, text } = meaningOf(code)
      return { name: 'Alert:', level, text, runbook: runbookOf(code) }
    }),
    ...vaultSigns(overview),
    chainSign(overview),
    booksSign(overview),
    relayersSign(overview),
    ...lateSigns(overview),
  ]
  // Stable: among equals the alerts stay before what they led to.
  return [ordersSign(overview, signs), ...signs].sort(
    (one, other) => GRAVITY[one.level] - GRAVITY[other.level],
  )
}

/** Whether new orders are taken, by all that keeps the service from it. */
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
  const short = vaults.filter(({ covers }) => !covers).map(({ symbol }) => symbol)
  if (short.length === 0) return []
  const text = `are SHORT: ${short.join(', ')}`
  return [{ name: 'Vaults', level: 'bad', text, runbook: runbookOf('books_differ') }]
}

function chainSign({ takenAt, health: { followed, unfollowedSeconds } }: Overview): Sign {
  const [name, runbook] = ['Chain', runbookOf('chain_not_followed')]
  if (followed === undefined) return { name, level: 'bad', text: 'was never followed', runbook }
  const age = ageOf(followed.at, takenAt)
  const text = `followed to slot ${followed.slot}, ${ago(age)}`
  if (age >= unfollowedSeconds) return { name, level: 'bad', text: `not ${text}`, runbook }
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
    return { name, level: 'warn', text: 'were not looked at yet', runbook: silent }
  }
  const age = ageOf(liquidity.at, takenAt)
  if (!liquidity.isLiquid) {
    return { name, level: 'bad', text: `are LOW, ${ago(age)}`, runbook: runbookOf('relayers_low') }
  }
  const text = `can pay, ${ago(age)}`
  if (age < RELAYERS_SECONDS) return { name, level: 'good', text }
  return { name, level: age < RELAYERS_LOST_SECONDS ? 'warn' : 'bad', text, runbook: silent }
}

/** How grave it is that the oldest order is so late. */
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
