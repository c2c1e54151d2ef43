import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import { UNSEEN, type LinkState } from './link-state.ts'

/** A payment's move from one deposit to another, and the other payment that moves in the opposite direction. */
interface Exchange {
  readonly payment: number
  readonly from: number
  readonly to: number
  /** Undefined if no other payment moves. */
  readonly other: number | undefined
}

/** The links of several payments: for each payment its deposit. */
export type Links = readonly (readonly [payment: number, deposit: number])[]

/**
 * A joint move of several payments to other deposits. A payment that was linked to a moved payment's new deposit may
 * get the moved payment's old deposit in exchange. This is needed because most deposits of transfers have no room for a
 * second payment.
 */
export class Exchanges {
  readonly before: Links
  readonly after: Links
  readonly #state: LinkState
  readonly #exchanges: readonly Exchange[]

  /**
   * Draws the payments that move in exchange. The payments in `current` must be unlinked. `wanted` has the new deposit
   * of each of these payments, in the same order.
   */
  constructor(state: LinkState, random: SeededRandom, current: Links, wanted: readonly number[]) {
    this.#state = state
    const moved = new Set<number>()
    this.#exchanges = current.flatMap(([payment, from], place): Exchange[] => {
      const to = wanted[place] ?? UNSEEN
      if (from === to) return []
      const members = state.membersOf(to).filter((one) => !moved.has(one))
      const isMoved = members.length > 0 && (this.#isWhole(payment, to) || random.below(2) === 0)
      const other = isMoved ? random.pick(members) : undefined
      if (other !== undefined) moved.add(other)
      return [{ payment, from, to, other }]
    })
    const others = this.#exchanges.flatMap(({ from, to, other }) =>
      other === undefined ? [] : [{ from, to, other }],
    )
    this.before = [...current, ...others.map(({ other, to }) => [other, to] as const)]
    this.after = [
      ...current.map(([payment], place) => [payment, wanted[place] ?? UNSEEN] as const),
      ...others.map(({ other, from }) => [other, from] as const),
    ]
  }

  /** The payments that move in exchange. */
  others(): number[] {
    return this.#exchanges.flatMap(({ other }) => (other === undefined ? [] : [other]))
  }

  /** True if each payment that moves in exchange can come from its new deposit. */
  isPossible(): boolean {
    const { ways } = this.#state.problem
    return this.#exchanges.every(
      ({ from, other }) =>
        other === undefined || (ways[other] ?? []).some(({ deposit }) => deposit === from),
    )
  }

  /**
   * The logarithm of a quotient of two chances: the chance that the reverse move draws the reverse exchanges, divided
   * by the chance that this move draws its exchanges. All payments that move must be unlinked.
   */
  logReverse(): number {
    const { length } = this.#exchanges
    let log = 0
    for (let place = 0; place < length; place += 1) {
      log += this.#logChance(place, 'from') - this.#logChance(place, 'to')
    }
    return log
  }

  /** The logarithm of the chance that a move to the deposit on this side draws exactly this exchange. */
  #logChance(place: number, side: 'from' | 'to'): number {
    const [own, ...later] = this.#exchanges.slice(place)
    if (own === undefined) return 0
    const deposit = own[side]
    const moving = [own, ...later].filter((one) => one.other !== undefined && one[side] === deposit)
    const members = this.#state.membersOf(deposit).length + moving.length
    if (members === 0) return 0
    const isWhole = this.#isWhole(own.payment, deposit)
    if (own.other === undefined) return isWhole ? -Infinity : Math.log(0.5)
    return Math.log((isWhole ? 1 : 0.5) / members)
  }

  /** True if the payment takes the whole deposit, so that no other payment has room there. */
  #isWhole(payment: number, deposit: number): boolean {
    const { gross, sightings } = this.#state.problem
    return sightings.deposits[deposit]?.value === gross[payment]
  }
}
