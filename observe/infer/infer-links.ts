import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { Sightings } from '../chain/sightings.ts'
import type { Bundle } from './bundle.ts'
import { linkProblem, type KnownPayment, type LinkProblem } from './link-problem.ts'
import { LinkState, UNSEEN } from './link-state.ts'
import { ListMover } from './move-lists.ts'
import { PayeeMover } from './move-payees.ts'
import { weighRests } from './weigh-rests.ts'

/** A deposit, and the chance that a payment comes from it. */
export interface Candidate {
  readonly deposit: number
  readonly chance: number
}

/** The observer's conclusions about one payment. */
export interface PaymentLinks {
  /** The settlement's index. */
  readonly settlement: number
  /**
   * The possible deposits, with the most likely deposit first. Their chances add up to at most 1. The difference from 1
   * is the chance that the observer didn't see the payment's deposit.
   */
  readonly candidates: readonly Candidate[]
}

/** The amount of work that the sampler does. */
export interface Effort {
  /** Number of independent runs. Each run starts with different links. */
  readonly runs: number
  /**
   * Number of sweeps over all payments at the start of a run. Their results aren't counted, because the initial links
   * still influence them.
   */
  readonly warmUp: number
  readonly sweeps: number
}

export const USUAL_EFFORT: Effort = { runs: 4, warmUp: 60, sweeps: 200 }
/**
 * This effort is enough to estimate mean chances over a history of weeks. The chance of a single payment is less exact.
 */
export const QUICK_EFFORT: Effort = { runs: 1, warmUp: 20, sweeps: 40 }

/**
 * Computes the posterior probabilities: for each payment and each deposit, the chance that the payment comes from the
 * deposit, given all sightings. First, Gibbs sampling draws assignments of all payments to deposits, and also exchanges
 * the deposits of two payments. Then `weighRests` corrects the chances: the payments and the returned rest of a balance
 * must add up to its deposit. docs/privacy.md describes the model.
 */
export function inferLinks(
  sightings: Sightings,
  random: SeededRandom,
  effort: Effort = USUAL_EFFORT,
  known: readonly KnownPayment[] = [],
): PaymentLinks[] {
  const problem = linkProblem(sightings, known)
  const sums = problem.ways.map((ways) => new Float64Array(ways.length))
  for (let run = 0; run < effort.runs; run += 1) {
    sampleOnce(problem, random.stream(`run ${run}`), effort, sums)
  }
  const counted = effort.runs * effort.sweeps
  const links = problem.payments.map(({ index }) => ({
    settlement: index,
    candidates: (problem.ways[index] ?? [])
      .map(({ deposit }, way) => ({ deposit, chance: (sums[index]?.[way] ?? 0) / counted }))
      .filter(({ chance }) => chance > 0)
      .sort((left, right) => right.chance - left.chance),
  }))
  return weighRests(problem, links)
}

function sampleOnce(
  problem: LinkProblem,
  random: SeededRandom,
  { warmUp, sweeps }: Effort,
  sums: readonly Float64Array[],
): void {
  const state = new LinkState(problem)
  const fixed = fixBundles(state, random)
  const free = problem.payments.map(({ index }) => index).filter((index) => !fixed.has(index))
  const closed = new Set([...fixed].map((payment) => state.linkOf(payment)))
  const sampler = new Sampler(state, random, closed)
  const draw = () => fractionOf(random)
  const lists = new ListMover(state, random, draw, fixed, closed)
  const payees = new PayeeMover(state, random, draw, fixed, closed)
  for (const payment of free) sampler.begin(payment)
  for (let sweep = -warmUp; sweep < sweeps; sweep += 1) {
    for (const payment of free) {
      const chances = sampler.draw(payment)
      if (sweep >= 0) addTo(sums[payment], chances)
    }
    for (const payment of free) sampler.exchange(payment)
    lists.sweep()
    payees.sweep()
    state.learn()
    if (sweep < 0) continue
    for (const payment of fixed) {
      const ways = problem.ways[payment] ?? []
      const link = state.linkOf(payment)
      addTo(
        sums[payment],
        ways.map(({ deposit }) => (deposit === link ? 1 : 0)),
      )
    }
  }
}

function addTo(sums: Float64Array | undefined, chances: readonly number[]): void {
  for (const [way, chance] of chances.entries()) {
    if (sums !== undefined) sums[way] = (sums[way] ?? 0) + chance
  }
}

/**
 * For each returned rest and each emptied balance, draws one of the possible bundles, and fixes the links of the
 * bundle's payments. A bundle is a deposit and the payments out of it. Returns the fixed payments.
 */
function fixBundles(state: LinkState, random: SeededRandom): ReadonlySet<number> {
  const fixed = new Set<number>()
  const closed = new Set<number>()
  for (const alternatives of state.problem.rests.bundles) {
    const open = alternatives.filter(
      ({ deposit, settlements }) =>
        !closed.has(deposit) && settlements.every((one) => !fixed.has(one)),
    )
    if (open.length === 0) continue
    const { deposit, settlements }: Bundle = random.pick(open)
    closed.add(deposit)
    for (const settlement of settlements) {
      state.link(settlement, deposit)
      fixed.add(settlement)
    }
  }
  return fixed
}

const SCALE = 2 ** 30
/** Draws a number above 0 and below 1. */
const fractionOf = (random: SeededRandom): number => (random.below(SCALE) + 0.5) / SCALE

class Sampler {
  readonly #state: LinkState
  readonly #random: SeededRandom
  /** Deposits whose payments are all known. */
  readonly #closed: ReadonlySet<number>

  constructor(state: LinkState, random: SeededRandom, closed: ReadonlySet<number>) {
    this.#state = state
    this.#random = random
    this.#closed = closed
  }

  /** Gives a payment its first link: to a possible deposit with exactly its amount, or else to any possible deposit. */
  begin(payment: number): void {
    const open = this.#openWays(payment)
    const whole = open.filter(({ isWhole }) => isWhole)
    const chosen = whole.length > 0 ? whole : open
    if (chosen.length > 0) this.#state.link(payment, this.#random.pick(chosen).deposit)
  }

  /** Draws a payment's link while all other links stay unchanged. Returns the chance of each possible link. */
  draw(payment: number): number[] {
    const state = this.#state
    const ways = state.problem.ways[payment] ?? []
    state.unlink(payment)
    const logs = ways.map(({ deposit }) =>
      !this.#closed.has(deposit) && state.hasRoom(deposit, payment)
        ? state.gain(payment, deposit)
        : -Infinity,
    )
    const unseen = state.gain(payment, UNSEEN)
    const most = logs.reduce((left, right) => Math.max(left, right), unseen)
    const weights = logs.map((log) => Math.exp(log - most))
    const total = weights.reduce((sum, weight) => sum + weight, Math.exp(unseen - most))
    const chances = weights.map((weight) => weight / total)
    let left = this.#fraction()
    const way = chances.findIndex((chance) => (left -= chance) < 0)
    state.link(payment, ways[way]?.deposit ?? UNSEEN)
    return chances
  }

  /**
   * Proposes that two payments exchange their deposits. Accepts the exchange by the rule of Metropolis and Hastings.
   * Without exchanges, a payment could never leave a deposit that has exactly the payment's amount.
   */
  exchange(payment: number): void {
    const state = this.#state
    const ways = state.problem.ways[payment] ?? []
    const own = state.linkOf(payment)
    if (ways.length === 0 || own === UNSEEN) return
    const { deposit: wanted } = this.#random.pick(ways)
    const members = state.membersOf(wanted)
    if (wanted === own || members.length === 0 || this.#closed.has(wanted)) return
    const other = this.#random.pick(members)
    // This exchange draws one payment of `wanted`, and the reverse exchange would draw one payment of `own`. The
    // correction is needed because the two deposits may have different numbers of payments.
    const correction = Math.log(members.length / state.membersOf(own).length)
    if (!(state.problem.ways[other] ?? []).some(({ deposit }) => deposit === own)) return
    state.unlink(payment)
    state.unlink(other)
    const before = this.#gainOfBoth(payment, own, other, wanted)
    const after =
      state.hasRoom(wanted, payment) && state.hasRoom(own, other)
        ? this.#gainOfBoth(payment, wanted, other, own)
        : -Infinity
    const isAccepted = Math.log(this.#fraction()) < after - before + correction
    state.link(payment, isAccepted ? wanted : own)
    state.link(other, isAccepted ? own : wanted)
  }

  #gainOfBoth(payment: number, deposit: number, other: number, its: number): number {
    const first = this.#state.gain(payment, deposit)
    this.#state.link(payment, deposit)
    const second = this.#state.gain(other, its)
    this.#state.unlink(payment)
    return first + second
  }

  #openWays(payment: number) {
    return (this.#state.problem.ways[payment] ?? []).filter(
      ({ deposit }) => !this.#closed.has(deposit) && this.#state.hasRoom(deposit, payment),
    )
  }

  #fraction(): number {
    return fractionOf(this.#random)
  }
}
