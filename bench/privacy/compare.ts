import { compareStated, type Promised } from '../../observe/measure/calibration.ts'
import {
  kindOf,
  summariseScores,
  type ScoredPayment,
  type ScoredSummary,
} from '../../observe/measure/summaries.ts'
import { CERTAIN } from '../../observe/measure/wallet-chances.ts'
import type { Measured } from '../report/line.ts'
import {
  LINKED_MOST,
  NOTHING_HIDDEN,
  POSTERIOR_GOALS,
  SAID_BEFORE_SIGNING,
  STATED_LEAST,
} from './goals.ts'

/** The mean posterior probability of each kind of payment, compared with its goal. */
export const posteriorsOf = (
  where: string,
  kinds: readonly ScoredSummary[],
  isJudged: boolean,
): Measured[] =>
  kinds.map(({ name, posterior, payments }) => {
    const goal = POSTERIOR_GOALS[name]
    return {
      ...{ name: `privacy: ${where}: ${name}, posterior`, unit: `(of ${payments})` },
      bar: isJudged && goal !== undefined ? '<= 1' : null,
      ...{ values: [posterior], baselines: [goal ?? NOTHING_HIDDEN] },
    }
  })

/** The mean posterior probabilities of scored payments, by kind of payment. Each is compared with its goal. */
export const posteriorsOfPayments = (where: string, scored: readonly ScoredPayment[]): Measured[] =>
  posteriorsOf(where, summariseScores(scored), true)

/** The statements of quotes, compared with the observer's results. */
export function statementsOf(where: string, scored: readonly ScoredPayment[]): Measured[] {
  const compared = compareStated(scored, CERTAIN)
  if (compared?.chance === undefined) throw new Error(`${where}: no quote states a chance`)
  const { quotes, held, stating, linked, chance, promised } = compared
  const named = (name: string, of: number) => ({
    ...{ name: `privacy: ${where}: ${name}`, unit: `(of ${of})` },
  })
  return [
    {
      ...named('quotes that state at most the measured set', quotes),
      ...{ bar: '>= 1', values: [held], baselines: [STATED_LEAST] },
    },
    {
      ...named('of quotes that state several wallets, linked with certainty', stating),
      ...{ bar: '<= 1', values: [linked], baselines: [LINKED_MOST] },
    },
    {
      ...named('chance of a link, measured against stated', quotes),
      ...{ bar: '<= 1', values: [chance.measured], baselines: [chance.stated] },
    },
    ...(promised === undefined ? [] : promisesOf(promised, (name) => named(name, stating))),
  ]
}

type Named = Pick<Measured, 'name' | 'unit'>

/** The promises of quotes that stated more than one wallet. Quotes that state one wallet promise nothing. */
const promisesOf = (
  { bySet, byChance, measured, heldMost }: Promised,
  named: (name: string) => Named,
): Measured[] => [
  {
    ...named('of quotes that state several wallets, chance measured against 1 / stated set'),
    ...{ bar: '<= 1', values: [measured], baselines: [bySet] },
  },
  {
    ...named('of quotes that state several wallets, chance measured against stated'),
    ...{ bar: '<= 1', values: [measured], baselines: [byChance ?? bySet] },
  },
  {
    ...named('of quotes that state several wallets, set at most 1 / highest chance'),
    ...{ bar: '>= 1', values: [heldMost], baselines: [STATED_LEAST] },
  },
]

/**
 * For each kind of payment that hides nothing: the share of quotes that state an anonymity set of one wallet. These
 * quotes say truthfully that nothing is hidden.
 */
export function saidBeforeSigning(where: string, scored: readonly ScoredPayment[]): Measured[] {
  return SAID_BEFORE_SIGNING.flatMap((kind): Measured[] => {
    const sets = scored.flatMap(({ truth }) =>
      kindOf(truth) === kind && truth.stated !== undefined ? [truth.stated.anonymitySet] : [],
    )
    if (sets.length === 0) return []
    const said = sets.filter((set) => set === 1).length / sets.length
    return [
      {
        ...{
          name: `privacy: ${where}: ${kind}, quotes that state one wallet`,
          unit: `(of ${sets.length})`,
        },
        ...{ bar: '>= 1', values: [said], baselines: [STATED_LEAST] },
      },
    ]
  })
}
