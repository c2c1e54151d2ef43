import type { CalibrationBin, StatedOfKind } from '../measure/calibration.ts'
import type { CrowdFigures } from '../measure/crowds.ts'
import type { HiddenAmong } from '../measure/hiding-places.ts'
import type { ScoredSummary, Summary } from '../measure/summaries.ts'

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

export function chainTable(summaries: readonly Summary[]): string {
  const head = ['seen on the chain', 'payments', 'effective set', 'likeliest', 'certain']
  return table([
    head,
    ...summaries.map((one) => [
      ...[one.name, `${one.payments}`, size(one.effectiveSet)],
      ...[share(one.likeliest), share(one.certain)],
    ]),
  ])
}

export function scoredTable(summaries: readonly ScoredSummary[], first = 'kind'): string {
  const head = [
    ...[first, 'payments', 'posterior', 'median', 'effective set', 'certain'],
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

export function hidingTable(groups: readonly HiddenAmong[]): string {
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

export function calibrationTable(bins: readonly CalibrationBin[]): string {
  const head = ['chance', 'pairs', 'stated', 'true']
  return table([
    head,
    ...bins.map(({ from, to, pairs, stated, measured }) => [
      ...[`${from} to ${to}`, `${pairs}`, share(stated), share(measured)],
    ]),
  ])
}

/**
 * The statements of quotes, by kind of payment. The table shows how many stated sizes are at most the measured size. It
 * also shows, for quotes that stated more than one wallet, how many payments were linked with certainty.
 */
export function statedTable(kinds: readonly StatedOfKind[]): string {
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

/**
 * For the quotes that stated more than one wallet: what they promised about the chance of a link, and whether the
 * observer's chances keep the promise.
 */
export function promisedTable(kinds: readonly StatedOfKind[]): string {
  const head = [
    ...['quotes that state more than one', 'quotes', '1 / stated set', 'stated chance', 'measured'],
    ...['set at most 1 / highest chance', 'payee paid once', 'of these', 'promise'],
  ]
  return table([
    head,
    ...kinds.flatMap(({ name, stating, promised }) => {
      if (promised === undefined) return []
      const { bySet, byChance, measured, heldMost, once, heldMostOnce, isKept } = promised
      return [
        [
          ...[name, `${stating}`, ...[bySet, byChance ?? NaN, measured, heldMost].map(share)],
          ...[`${once}`, share(heldMostOnce), verdict(isKept)],
        ],
      ]
    }),
  ])
}

const verdict = (isKept: boolean): string => (isKept ? 'kept' : 'MISSED')

export function crowdTable(crowds: readonly CrowdFigures[]): string {
  const head = [
    ...['crowd asked for', 'transfers', 'came', 'delivered without', 'refunded'],
    ...['of those that came: posterior', 'effective set', 'at least the crowd', 'certain'],
    ...['promised', 'posterior', 'crowd at most 1 / highest chance'],
    ...['payee paid once', 'of these', 'promise'],
  ]
  return table([
    head,
    ...crowds.map((one) => [
      ...[`${one.min}`, `${one.asked}`, `${one.came}`, `${one.delivered}`, `${one.refunded}`],
      ...[share(one.posterior), Number.isNaN(one.effectiveSet) ? '-' : size(one.effectiveSet)],
      ...[share(one.held), share(one.certain), `${one.promised}`],
      ...[share(one.promisedPosterior), share(one.heldMost)],
      ...[`${one.once}`, share(one.heldMostOnce)],
      one.promised === 0 ? '-' : verdict(one.isKept),
    ]),
  ])
}
