import type { Finding } from '../leaks/finding.ts'
import {
  calibrationOf,
  compareStated,
  compareStatedKinds,
  type CalibrationBin,
  type StatedAndMeasured,
  type StatedOfKind,
} from '../measure/calibration.ts'
import { summariseBuckets } from '../measure/amount-buckets.ts'
import { summariseCrowds, type CrowdFigures } from '../measure/crowds.ts'
import { summariseHidingPlaces, type HiddenAmong } from '../measure/hiding-places.ts'
import { summarisePayees } from '../measure/payee-kinds.ts'
import {
  scorePayments,
  summariseScored,
  summariseChain,
  summariseDays,
  summariseScores,
  type ScoredPayment,
  type ScoredSummary,
  type Summary,
} from '../measure/summaries.ts'
import { CERTAIN } from '../measure/wallet-chances.ts'
import type { Ledger } from '../load/ledger.ts'
import {
  calibrationTable,
  chainTable,
  crowdTable,
  hidingTable,
  promisedTable,
  scoredTable,
  statedTable,
} from './tables.ts'
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
        /** The payments of `kinds`, by asset and power of ten of the amount. */
        readonly buckets: readonly ScoredSummary[]
        /** Transfers that waited for a crowd, by the crowd's size. */
        readonly crowds: readonly CrowdFigures[]
        /** Payments out of balances, by days since the pool's first deposit. */
        readonly days: readonly ScoredSummary[]
        /** Payments out of balances, by the number of wallets that could have made them. */
        readonly hiding: readonly HiddenAmong[]
        /** Payments out of balances, by the payments that their wallet also makes to the same payee. */
        readonly payees: readonly ScoredSummary[]
        readonly calibration: readonly CalibrationBin[]
        readonly stated: StatedAndMeasured | undefined
        /** The comparison in `stated`, for each kind of payment and class of amounts. */
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
      all: summariseScored('all', scored),
      buckets: summariseBuckets(scored),
      crowds: summariseCrowds(scored, ledger, CERTAIN),
      days: summariseDays(scored, sightings),
      hiding: summariseHidingPlaces(scored, sightings, ledger),
      payees: summarisePayees(scored),
      calibration: calibrationOf(scored),
      stated: compareStated(scored, CERTAIN),
      statedKinds: compareStatedKinds(scored, CERTAIN),
    },
  }
}

/** Renders the report as text. */
export function renderReport({ deposits, settlements, chain, findings, scored }: Report): string {
  const parts = [`${deposits} deposits and ${settlements} settlements`, chainTable(chain)]
  if (scored !== undefined) {
    parts.push(scoredTable([...scored.kinds, scored.all]))
    parts.push(scoredTable(scored.buckets, 'delivered, in base units'))
    if (scored.crowds.length > 0) parts.push(crowdTable(scored.crowds))
    if (scored.days.length > 1) parts.push(scoredTable(scored.days))
    if (scored.hiding.length > 0) parts.push(hidingTable(scored.hiding))
    if (scored.payees.length > 0) parts.push(scoredTable(scored.payees, 'payee'))
    parts.push(calibrationTable(scored.calibration))
    if (scored.stated !== undefined) {
      const kinds = [...scored.statedKinds, { name: 'all', ...scored.stated }]
      parts.push(statedTable(kinds))
      if (scored.stated.promised !== undefined) parts.push(promisedTable(kinds))
    }
  }
  const lines = findings.map(({ leak, seen, chance }) => {
    const odds = chance === 0 ? '' : ` (by chance: ${chance.toExponential(1)})`
    return `  ${leak}: ${seen}${odds}`
  })
  parts.push(lines.length === 0 ? 'No leak was found.' : `Leaks:\n${lines.join('\n')}`)
  return parts.join('\n\n')
}
