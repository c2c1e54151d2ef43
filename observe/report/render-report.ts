import type { Finding } from '../leaks/finding.ts'
import {
  calibrationOf,
  compareStated,
  compareStatedKinds,
  type CalibrationBin,
  type StatedAndMeasured,
  type StatedOfKind,
} from '../measure/calibration.ts'
import { summariseHidingPlaces, type HiddenAmong } from '../measure/hiding-places.ts'
import {
  scorePayments,
  summariseAll,
  summariseChain,
  summariseDays,
  summariseScores,
  type ScoredPayment,
  type ScoredSummary,
  type Summary,
} from '../measure/summaries.ts'
import { CERTAIN } from '../measure/wallet-chances.ts'
import type { Ledger } from '../load/ledger.ts'
import type { Observation } from '../observe-chain.ts'

/** All figures of one observation, to print as a table or as JSON. */
export interface Report {
  readonly deposits: number
  readonly settlements: number
  readonly chain: readonly Summary[]
  readonly findings: readonly Finding[]
  /** The figures that need the true links; undefined without them. */
  readonly scored?:
    | {
        readonly kinds: readonly ScoredSummary[]
        readonly all: ScoredSummary
        /** Payments out of balances, by days since the pool's first deposit. */
        readonly days: readonly ScoredSummary[]
        /** The same payments, by the number of wallets that could have made them. */
        readonly hiding: readonly HiddenAmong[]
        readonly calibration: readonly CalibrationBin[]
        readonly stated: StatedAndMeasured | undefined
        /** The same comparison for each kind of payment and class of amounts. */
        readonly statedKinds: readonly StatedOfKind[]
      }
    | undefined
}

/**
 * Computes the figures, and compares them with the true links if these are known. Payments that landed before
 * `fromSeconds` aren't scored.
 */
export function reportOf(
  { sightings, wallets, findings }: Observation,
  ledger?: Ledger,
  fromSeconds = 0,
): Report {
  const { deposits, settlements } = sightings
  const counts = { deposits: deposits.length, settlements: settlements.length }
  const late = wallets.filter(({ settlement }) => settlement.seconds >= fromSeconds)
  const report = { ...counts, chain: summariseChain(late), findings }
  if (ledger === undefined) return report
  const scored: ScoredPayment[] = scorePayments(sightings, late, ledger)
  return {
    ...report,
    scored: {
      kinds: summariseScores(scored),
      all: summariseAll('all', scored),
      days: summariseDays(scored, sightings),
      hiding: summariseHidingPlaces(scored, sightings, ledger),
      calibration: calibrationOf(scored),
      stated: compareStated(scored, CERTAIN),
      statedKinds: compareStatedKinds(scored, CERTAIN),
    },
  }
}

const share = (number: number): string => (Number.isNaN(number) ? '-' : number.toFixed(3))
const size = (number: number): string => number.toFixed(2)

/** Renders rows. Each column is as wide as its widest entry. The first column is aligned to the left. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0)),
  )
  return rows
    .map((row) =>
      row
        .map((cell, column) => {
          const width = widths[column] ?? 0
          return column === 0 ? cell.padEnd(width) : cell.padStart(width)
        })
        .join('  '),
    )
    .join('\n')
}

function chainTable(summaries: readonly Summary[]): string {
  const head = ['seen on the chain', 'payments', 'effective set', 'likeliest', 'certain']
  return table([
    head,
    ...summaries.map((one) => [
      ...[one.name, `${one.payments}`, size(one.effectiveSet)],
      ...[share(one.likeliest), share(one.certain)],
    ]),
  ])
}

function scoredTable(summaries: readonly ScoredSummary[]): string {
  const head = [
    ...['kind', 'payments', 'posterior', 'median', 'effective set', 'certain'],
    ...['and true', 'precision', 'recall'],
  ]
  return table([
    head,
    ...summaries.map((one) => [
      ...[one.name, `${one.payments}`, share(one.posterior), share(one.medianPosterior)],
      ...[size(one.effectiveSet), share(one.certain), share(one.certainAndTrue)],
      ...[share(one.precision), share(one.recall)],
    ]),
  ])
}

function hidingTable(groups: readonly HiddenAmong[]): string {
  const head = [
    ...['wallets that could have paid', 'payments', 'if even', 'posterior', 'certain'],
    ...['payee paid once: if even', 'posterior'],
  ]
  return table([
    head,
    ...groups.map((one) => [
      ...[Number.isFinite(one.to) ? `${one.from} to ${one.to}` : `${one.from} or more`],
      ...[`${one.payments}`, share(one.even), share(one.posterior), share(one.certain)],
      ...[share(one.onceEven), share(one.oncePosterior)],
    ]),
  ])
}

function calibrationTable(bins: readonly CalibrationBin[]): string {
  const head = ['chance', 'pairs', 'stated', 'true']
  return table([
    head,
    ...bins.map(({ from, to, pairs, stated, measured }) => [
      ...[`${from} to ${to}`, `${pairs}`, share(stated), share(measured)],
    ]),
  ])
}

/**
 * The statements of quotes for each kind: how many sizes are at most the measured one, and how many of the payments
 * whose quotes stated more than one wallet were linked with certainty.
 */
function statedTable(kinds: readonly StatedOfKind[]): string {
  const head = [
    ...['quotes that state a set', 'quotes', 'at most measured', 'more than one'],
    ...['of these at most measured', 'certain', 'stated chance', 'measured'],
  ]
  return table([
    head,
    ...kinds.map(({ name, quotes, held, stating, heldStating, linked, chance }) => [
      ...[name, `${quotes}`, share(held), `${stating}`],
      ...[heldStating, linked].map((one) => share(stating === 0 ? NaN : one)),
      ...[share(chance?.stated ?? NaN), share(chance?.measured ?? NaN)],
    ]),
  ])
}

/** Renders the report as text. */
export function renderReport({ deposits, settlements, chain, findings, scored }: Report): string {
  const parts = [`${deposits} deposits and ${settlements} settlements`, chainTable(chain)]
  if (scored !== undefined) {
    parts.push(scoredTable([...scored.kinds, scored.all]))
    if (scored.days.length > 1) parts.push(scoredTable(scored.days))
    if (scored.hiding.length > 0) parts.push(hidingTable(scored.hiding))
    parts.push(calibrationTable(scored.calibration))
    if (scored.stated !== undefined) {
      parts.push(statedTable([...scored.statedKinds, { name: 'all', ...scored.stated }]))
    }
  }
  const lines = findings.map(({ leak, seen, chance }) => {
    const odds = chance === 0 ? '' : ` (by chance: ${chance.toExponential(1)})`
    return `  ${leak}: ${seen}${odds}`
  })
  parts.push(lines.length === 0 ? 'No leak was found.' : `Leaks:\n${lines.join('\n')}`)
  return parts.join('\n\n')
}
