import type { Stated } from '../load/ledger.ts'
import { grouped, kindOf, mean, type ScoredPayment } from './summaries.ts'

/** One range of chances, with all pairs of a payment and a wallet to which the observer gave a chance in this range. */
export interface CalibrationBin {
  readonly from: number
  readonly to: number
  readonly pairs: number
  /** The mean chance that the observer gave. */
  readonly stated: number
  /** The share of pairs in which the wallet really made the payment. */
  readonly measured: number
}

const EDGES = [0.001, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 1]

/**
 * For each range of chances: how often the observer is right. The observer is calibrated if `stated` equals `measured`
 * in every range.
 */
export function calibrationOf(scored: readonly ScoredPayment[]): CalibrationBin[] {
  const pairs = scored.flatMap(({ chances, wallet }) =>
    chances.wallets.map((one) => ({ chance: one.chance, isTrue: one.wallet === wallet })),
  )
  return EDGES.slice(1).flatMap((to, place) => {
    const from = EDGES[place] ?? 0
    const isLast = to === 1
    const inside = pairs.filter(({ chance }) => chance >= from && (isLast || chance < to))
    if (inside.length === 0) return []
    const share = (sum: number): number => sum / inside.length
    return [
      {
        ...{ from, to, pairs: inside.length },
        stated: share(inside.reduce((sum, { chance }) => sum + chance, 0)),
        measured: share(inside.filter(({ isTrue }) => isTrue).length),
      },
    ]
  })
}

/** The statements of quotes, compared with the observer's conclusions. */
export interface StatedAndMeasured {
  /** The number of quotes that stated the size of an anonymity set. */
  readonly quotes: number
  /** The share of quotes whose stated size is at most the measured effective set. */
  readonly held: number
  /** The number of quotes that stated more than one wallet. */
  readonly stating: number
  /**
   * Like `held`, but only for quotes that stated more than one wallet. A quote that states one wallet is always right.
   */
  readonly heldStating: number
  /**
   * Among the quotes that stated more than one wallet: the share whose true wallet the observer found with certainty.
   */
  readonly linked: number
  /**
   * The mean chance that the quotes stated, and the mean chance that the observer gave. Undefined if no quote stated a
   * chance.
   */
  readonly chance?: { readonly stated: number; readonly measured: number } | undefined
  /** What the quotes that stated more than one wallet promised; undefined if there are no such quotes. */
  readonly promised?: Promised | undefined
}

/**
 * The promises of quotes that stated more than one wallet, compared with the observer's chances. A set of `n` wallets
 * promises a chance of at most `1 / n`. The effective set doesn't show whether the promise was kept: 40 unlikely
 * wallets enlarge this set, even if the observer gives the true wallet a chance of one half.
 */
export interface Promised {
  /** The mean of 1 divided by the stated size. */
  readonly bySet: number
  /** The mean stated chance; undefined if no quote stated one. */
  readonly byChance?: number | undefined
  /** The mean chance that the observer gave to the true wallet. */
  readonly measured: number
  /**
   * The share of quotes whose stated size is at most 1 divided by the highest chance that the observer gave to any
   * wallet.
   */
  readonly heldMost: number
  /**
   * Like `heldMost`, but only for quotes to payees that are paid once, because a quote can't know later payments. NaN
   * if there is no such quote.
   */
  readonly heldMostOnce: number
  /** The number of quotes that `heldMostOnce` counts. */
  readonly once: number
  /**
   * True if `measured` is at most each mean promise, and if at least the share `HELD_MOST_MIN` of the quotes kept their
   * own promise.
   */
  readonly isKept: boolean
}

/** The comparison for one class of payments. */
export interface StatedOfKind extends StatedAndMeasured {
  readonly name: string
}

/**
 * Compares the quotes' statements with the measured figures for each kind of payment and class of amounts. Figures for
 * all quotes together would hide a class whose quotes state too much.
 */
export const compareStatedKinds = (
  scored: readonly ScoredPayment[],
  certain: number,
): StatedOfKind[] =>
  grouped(scored, ({ truth }) => kindOf(truth)).flatMap(([name, group]) => {
    const compared = compareStated(group, certain)
    return compared === undefined ? [] : [{ name, ...compared }]
  })

/** Compares the quotes' statements with the measured figures; undefined if no quote stated anything. */
export function compareStated(
  scored: readonly ScoredPayment[],
  certain: number,
): StatedAndMeasured | undefined {
  const quotes = scored.flatMap((one): StatedPayment[] => {
    const { stated } = one.truth
    return stated === undefined ? [] : [{ ...one, stated }]
  })
  if (quotes.length === 0) return undefined
  const stating = quotes.filter(({ stated }) => stated.anonymitySet > 1)
  const held = quotes.filter(isHeld)
  const linked = stating.filter(({ posterior }) => posterior >= certain)
  return {
    ...{ quotes: quotes.length, stating: stating.length },
    held: held.length / quotes.length,
    heldStating: stating.length === 0 ? 1 : stating.filter(isHeld).length / stating.length,
    linked: stating.length === 0 ? 0 : linked.length / stating.length,
    ...meanChances(quotes),
    ...(stating.length === 0 ? {} : { promised: promisedBy(stating) }),
  }
}

type StatedPayment = ScoredPayment & { readonly stated: Stated }

/** The effective set is computed from sampled chances, so it has a sampling error. */
export const SAMPLING_ERROR = 0.05

const isHeld = ({ stated, chances }: StatedPayment): boolean =>
  stated.anonymitySet <= chances.effectiveSet + SAMPLING_ERROR

/** At least this share of the promises of single quotes and crowds must be kept. */
const HELD_MOST_MIN = 0.99

/** True if the observer gave no wallet a chance above 1 divided by this size, except for the sampling error. */
export const isMostHeld = ({ chances }: ScoredPayment, size: number): boolean =>
  size <= 1 / (chances.wallets[0]?.chance ?? 0) + SAMPLING_ERROR

/** True if the mean chance is at most each mean promise, and enough single promises were kept. */
export const keepsPromise = (
  measured: number,
  promises: readonly number[],
  heldMost: number,
): boolean => promises.every((one) => measured <= one) && heldMost >= HELD_MOST_MIN

function promisedBy(stating: readonly StatedPayment[]): Promised {
  const chance = meanChances(stating).chance?.stated
  const bySet = mean(stating.map(({ stated }) => 1 / stated.anonymitySet))
  const measured = mean(stating.map(({ posterior }) => posterior))
  const shareHeld = (quotes: readonly StatedPayment[]): number =>
    quotes.filter((one) => isMostHeld(one, one.stated.anonymitySet)).length / quotes.length
  const heldMost = shareHeld(stating)
  const once = stating.filter(({ isPaidOnce }) => isPaidOnce)
  const promises = chance === undefined ? [bySet] : [bySet, chance]
  const isKept = keepsPromise(measured, promises, heldMost)
  const heldMostOnce = shareHeld(once)
  return { bySet, byChance: chance, measured, heldMost, heldMostOnce, once: once.length, isKept }
}

function meanChances(quotes: readonly StatedPayment[]): Pick<StatedAndMeasured, 'chance'> {
  const known = quotes.flatMap(({ stated: { linkProbability }, posterior }) =>
    linkProbability === undefined ? [] : [{ linkProbability, posterior }],
  )
  if (known.length === 0) return {}
  return {
    chance: {
      stated: mean(known.map(({ linkProbability }) => linkProbability)),
      measured: mean(known.map(({ posterior }) => posterior)),
    },
  }
}
