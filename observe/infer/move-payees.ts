import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import { Exchanges, type Links } from './exchanges.ts'
import { UNSEEN, type LinkState } from './link-state.ts'
import { drawPlace, weightsOf } from './logs.ts'
import { findGroups, type Options, type PayeeGroup } from './payee-groups.ts'

/** The number of exchanges that a sweep tries for each payee. */
const TRIES = 6

/** Deposits for the payments of a group, and the logarithm of their weight. */
interface Path {
  readonly deposits: readonly number[]
  readonly weight: number
}

/**
 * Moves of the sampler for the payments to one payee. While all of these payments are linked to one wallet, the sampler
 * hardly ever moves a single one to another wallet. So these moves draw the links of all payments to a payee together.
 */
export class PayeeMover {
  readonly #state: LinkState
  readonly #random: SeededRandom
  readonly #fraction: () => number
  readonly #groups: readonly PayeeGroup[]

  constructor(
    state: LinkState,
    random: SeededRandom,
    fraction: () => number,
    fixed: ReadonlySet<number>,
    closed: ReadonlySet<number>,
  ) {
    this.#state = state
    this.#random = random
    this.#fraction = fraction
    this.#groups = findGroups(state.problem, fixed, closed)
  }

  sweep(): void {
    for (const group of this.#groups) {
      this.#draw(group)
      for (let tries = 0; tries < TRIES; tries += 1) this.#exchange(group)
    }
  }

  /**
   * Draws one of the alternatives: one particular wallet has made all payments, or several wallets have made them. Each
   * alternative proposes one path, with its Rosenbluth weight. The alternative to which the current links belong
   * proposes these links as its path. So the draw doesn't change the distribution of the links (iterated sampling and
   * importance resampling).
   */
  #draw(group: PayeeGroup): void {
    const current = this.#linksOf(group)
    if (current === undefined) return
    const payer = group.payerOf(current)
    for (const payment of group.payments) this.#state.unlink(payment)
    const paths = [...group.byWallet].flatMap(([wallet, options]) => {
      const chosen = wallet === payer ? current : undefined
      return this.#path(group, options, chosen) ?? []
    })
    const apart = this.#path(group, group.ways, payer === undefined ? current : undefined)
    if (apart !== undefined && group.payerOf(apart.deposits) === undefined) paths.push(apart)
    const { weights } = weightsOf(paths.map(({ weight }) => weight))
    const deposits = paths[drawPlace(weights, this.#fraction)]?.deposits ?? current
    for (const [place, payment] of group.payments.entries()) {
      this.#state.link(payment, deposits[place] ?? UNSEEN)
    }
  }

  /**
   * Links each payment to one of its options, which is drawn by its weight or given by `chosen`. Then unlinks all
   * payments again. Returns undefined if a payment has no possible option.
   */
  #path({ payments }: PayeeGroup, options: Options, chosen?: readonly number[]): Path | undefined {
    const state = this.#state
    const deposits: number[] = []
    let weight = 0
    for (const [place, payment] of payments.entries()) {
      const open = (options[place] ?? []).filter((deposit) => state.hasRoom(deposit, payment))
      if (open.length === 0) break
      const { weights, log } = weightsOf(open.map((deposit) => state.gain(payment, deposit)))
      const deposit = chosen?.[place] ?? open[drawPlace(weights, this.#fraction)] ?? UNSEEN
      weight += log
      state.link(payment, deposit)
      deposits.push(deposit)
    }
    for (const payment of payments.slice(0, deposits.length)) state.unlink(payment)
    return deposits.length < payments.length ? undefined : { deposits, weight }
  }

  /** Proposes other deposits for the payments. Accepts the proposal by the rule of Metropolis and Hastings. */
  #exchange(group: PayeeGroup): void {
    const state = this.#state
    const current = this.#linksOf(group)
    if (current === undefined) return
    const wanted = group.propose(this.#fraction)
    for (const payment of group.payments) state.unlink(payment)
    const links = group.payments.map(
      (payment, place) => [payment, current[place] ?? UNSEEN] as const,
    )
    const exchanges = new Exchanges(state, this.#random, links, wanted)
    for (const other of exchanges.others()) state.unlink(other)
    const after = exchanges.isPossible() ? this.#gainOf(exchanges.after) : -Infinity
    const ratio =
      after === -Infinity
        ? -Infinity
        : after -
          this.#gainOf(exchanges.before) +
          group.logProposal(current) -
          group.logProposal(wanted) +
          exchanges.logReverse()
    const isAccepted = Math.log(this.#fraction()) < ratio
    for (const [payment, deposit] of isAccepted ? exchanges.after : exchanges.before) {
      state.link(payment, deposit)
    }
  }

  /** The sum of the gains of these links, made one after the other; `-Infinity` if they are impossible. */
  #gainOf(links: Links): number {
    const state = this.#state
    let gain = 0
    let linked = 0
    for (const [payment, deposit] of links) {
      gain += state.hasRoom(deposit, payment) ? state.gain(payment, deposit) : -Infinity
      if (gain === -Infinity) break
      state.link(payment, deposit)
      linked += 1
    }
    for (const [payment] of links.slice(0, linked)) state.unlink(payment)
    return gain
  }

  /** The deposits of the group's payments; undefined if a payment has none. */
  #linksOf({ payments }: PayeeGroup): number[] | undefined {
    const deposits = payments.map((payment) => this.#state.linkOf(payment))
    return deposits.includes(UNSEEN) ? undefined : deposits
  }
}
