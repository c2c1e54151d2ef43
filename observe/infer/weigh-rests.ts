import { RESIDUE_SHARE } from '@sotto/protocol'
import { grossOf, type SeenDeposit, type SeenSettlement } from '../chain/sightings.ts'
import { isRound } from './amounts.ts'
import type { LinkProblem } from './link-problem.ts'
import { isTransfer } from './is-transfer.ts'
import { depositsOf } from './returned-rests.ts'
import { ratio } from './subset-sums.ts'
import { weighSetsWithLast } from './weigh-sets.ts'

/** Number of steps into which the range of a residue is divided. */
const STEPS = 64
/** Rounded amounts may add up to this many steps more or less than the rounded sum. */
const ROUNDING = 2
/** At most this many payments of a deposit are weighed: the most likely ones. */
const PARTS_MAX = 400
/**
 * Some payments of odd amounts go to a wallet that made an earlier deposit. This is the assumed share of closings among
 * these payments.
 */
const CLOSING_SHARE = 0.9
/**
 * The minimum distance of a chance from 0 and from 1. The sampler only estimates chances, so no chance is treated as
 * certain.
 */
const CHANCE_MIN = 1e-6

/** A settlement, and the chance of each deposit that it can come from. */
interface Links {
  readonly settlement: number
  readonly candidates: readonly { readonly deposit: number; readonly chance: number }[]
}

/** For each payment and each deposit: the chance that the payment comes from the deposit. */
type Chances = Map<number, ReadonlyMap<number, number>>

/** The hypothesis that a settlement returned the rest of a deposit, and its consequences. */
interface Hypothesis {
  readonly deposit: number
  /** The probability density of the settlement's amount, per base unit. */
  readonly density: number
  /** The chance that no later payment comes from the deposit, before the rest is weighed. */
  readonly ended: number
  /**
   * For each payment that may come from the deposit: the chance that it does, under this hypothesis. 0 for later
   * payments.
   */
  readonly chances: ReadonlyMap<number, number>
}

/**
 * Corrects the chances of payments by the rests that `ReturnedRests.bundles` doesn't explain, in order of time. For
 * each rest, weighs all sets of payments whose sum fits the rest. The current chances are the priors, and are treated
 * as independent.
 */
export function weighRests(problem: LinkProblem, links: readonly Links[]): Links[] {
  const all: Chances = new Map(
    links.map(({ settlement, candidates }) => [
      settlement,
      new Map(candidates.map(({ deposit, chance }) => [deposit, chance])),
    ]),
  )
  for (const last of problem.sightings.settlements) {
    if (mayBeRest(problem, last)) weighRest(problem, last, all)
  }
  return links.map(({ settlement }) => ({
    settlement,
    candidates: [...(all.get(settlement) ?? [])]
      .map(([deposit, chance]) => ({ deposit, chance }))
      .filter(({ chance }) => chance > 0)
      .sort((left, right) => right.chance - left.chance),
  }))
}

/** The deposits whose rest a settlement can have returned. */
const restedOf = ({ sightings, rests }: LinkProblem, one: SeenSettlement) =>
  one.isRefund ? rests.times.depositsOf(one) : depositsOf(sightings, one)

function mayBeRest({ sightings, rests }: LinkProblem, one: SeenSettlement): boolean {
  if (rests.explained.has(one.index)) return false
  if (one.isRefund) return depositsOf(sightings, one).every(({ value }) => value > grossOf(one))
  // The residue of a closed balance is random, so the amount of a closing is hardly ever round.
  return !isRound(one.payout) && !isRound(grossOf(one)) && !isTransfer(sightings, one)
}

function weighRest(problem: LinkProblem, last: SeenSettlement, all: Chances): void {
  const deposits = restedOf(problem, last).filter(
    ({ index, value }) => value > grossOf(last) && !problem.rests.unspent.has(index),
  )
  const hypotheses = deposits.map((deposit) => assume(problem, deposit, last, all))
  const share = last.isRefund ? 1 : CLOSING_SHARE
  const most = Math.max(...deposits.map(({ value }) => ratio(value, 1n)))
  // The prior of a deposit is the chance that nothing was paid out of it later.
  const allEnded = hypotheses.reduce((sum, { ended }) => sum + ended, 0)
  const weights = hypotheses.map(({ density, ended }) => (share * density * ended) / allEnded)
  const total = weights.reduce((sum, weight) => sum + weight, (1 - share) / most)
  if (hypotheses.length === 0 || total <= 0) return
  const shares = weights.map((weight) => weight / total)
  const payments = new Set(hypotheses.flatMap(({ chances }) => [...chances.keys()]))
  for (const payment of payments) {
    all.set(payment, mixed(all.get(payment) ?? new Map(), payment, hypotheses, shares))
  }
}

/** Computes the chances under the hypothesis that the settlement returned the rest of the deposit. */
function assume(
  { sightings, rests }: LinkProblem,
  deposit: SeenDeposit,
  last: SeenSettlement,
  all: Chances,
): Hypothesis {
  const paid = deposit.value - grossOf(last)
  const slack = last.isRefund ? 0n : deposit.value / RESIDUE_SHARE
  const step = deposit.value / RESIDUE_SHARE / BigInt(STEPS) || 1n
  const stepsOf = (sum: bigint): number => ratio(2n * sum + step, 2n * step)
  const window = last.isRefund ? rests.times.lastPayment(last, deposit) : undefined
  const between = sightings.settlements
    .filter(
      (one) =>
        one.index !== last.index &&
        one.leafIndex > deposit.leafIndex &&
        one.leafIndex < last.leafIndex &&
        one.seconds <= (window?.to ?? Infinity) &&
        grossOf(one) <= paid,
    )
    .flatMap((one) => {
      const chance = all.get(one.index)?.get(deposit.index)
      const isLast = one.seconds >= (window?.from ?? -Infinity)
      const part = { payment: one.index, gross: grossOf(one), isLast }
      return chance === undefined ? [] : [{ ...part, chance }]
    })
    .sort((left, right) => right.chance - left.chance)
    .slice(0, PARTS_MAX)
  const most = stepsOf(paid) + ROUNDING
  const width = stepsOf(slack) + 2 * ROUNDING
  const sets = weighSetsWithLast(
    between.map(({ gross, chance, isLast }) => ({
      ...{ size: stepsOf(gross), chance: clipped(chance), isLast },
    })),
    most - width,
    most,
  )
  const chances = new Map(
    between.map(({ payment }, place) => [payment, sets.chances[place] ?? 0] as const),
  )
  if (!last.isRefund) chances.set(last.index, 1)
  // Nothing is paid out of a balance after its rest has returned, so later payments get a chance of 0. A later payment
  // that is certainly linked to the deposit contradicts the hypothesis, and keeps its chance.
  let ended = 1
  for (const { index, leafIndex } of sightings.settlements) {
    const chance = all.get(index)?.get(deposit.index)
    if (leafIndex <= last.leafIndex || chance === undefined) continue
    if (chance < 1 - CHANCE_MIN) chances.set(index, 0)
    ended = Math.max(ended * (1 - clipped(chance)), Number.MIN_VALUE)
  }
  const density = sets.evidence / ((width + 1) * ratio(step, 1n))
  return { deposit: deposit.index, density, ended, chances }
}

const clipped = (chance: number): number => Math.min(1 - CHANCE_MIN, Math.max(CHANCE_MIN, chance))

/**
 * The average of a payment's chances over the hypotheses, weighted by the hypotheses' shares. If the shares add up to
 * less than 1, the difference is the chance that every hypothesis is false.
 */
function mixed(
  before: ReadonlyMap<number, number>,
  payment: number,
  hypotheses: readonly Hypothesis[],
  shares: readonly number[],
): ReadonlyMap<number, number> {
  const none = shares.reduce((left, share) => left - share, 1)
  const after = new Map([...before].map(([deposit, chance]) => [deposit, chance * none] as const))
  for (const [place, { deposit: own, chances }] of hypotheses.entries()) {
    const share = shares[place] ?? 0
    const prior = before.get(own) ?? 0
    const chance = chances.get(payment) ?? prior
    const others = (1 - chance) / (1 - Math.min(prior, 1 - CHANCE_MIN))
    for (const [deposit, its] of before) {
      const added = share * (deposit === own ? chance : its * others)
      after.set(deposit, (after.get(deposit) ?? 0) + added)
    }
    if (!before.has(own)) after.set(own, (after.get(own) ?? 0) + share * chance)
  }
  return after
}
