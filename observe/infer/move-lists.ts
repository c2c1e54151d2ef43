import type { SeededRandom } from '../../sim/time/seeded-random.ts'
import type { LinkState } from './link-state.ts'
import { UNSEEN } from './link-state.ts'
import { drawPlace, weightsOf } from './logs.ts'
import { findLists, findSeries, type PaymentList } from './payment-lists.ts'

/** The number of moves that a sweep tries for each list, and for each series of lists. */
const TRIES = 4

/**
 * Moves of the sampler for lists of payments. The sampler hardly ever moves a single payment of a list, because the
 * payments of a list probably have the same deposit. So a move of the first kind takes all payments of a list that have
 * the same deposit, and links them to another deposit. A move of the second kind takes all lists that share payees,
 * such as the payrolls of one payer, and links their payments to the deposits of another wallet. Both kinds are
 * accepted by the rule of Metropolis and Hastings. The second kind uses Rosenbluth weights.
 */
export class ListMover {
  readonly #state: LinkState
  readonly #random: SeededRandom
  readonly #fraction: () => number
  readonly #closed: ReadonlySet<number>
  readonly #lists: readonly PaymentList[]
  readonly #series: readonly (readonly PaymentList[])[]
  readonly #depositsOf: readonly number[][]

  constructor(
    state: LinkState,
    random: SeededRandom,
    fraction: () => number,
    fixed: ReadonlySet<number>,
    closed: ReadonlySet<number>,
  ) {
    const { senderOf, senders, payeeOf } = state.problem
    this.#state = state
    this.#random = random
    this.#fraction = fraction
    this.#closed = closed
    this.#lists = findLists(state.problem).map((list) => list.filter((one) => !fixed.has(one)))
    this.#series = findSeries(this.#lists, payeeOf)
    this.#lists = this.#lists.filter(({ length }) => length > 1)
    const depositsOf = Array.from({ length: senders }, (): number[] => [])
    for (const [deposit, sender] of senderOf.entries()) depositsOf[sender]?.push(deposit)
    this.#depositsOf = depositsOf
  }

  sweep(): void {
    for (let tries = 0; tries < TRIES; tries += 1) {
      for (const list of this.#lists) this.#moveList(list)
      for (const lists of this.#series) this.#moveSeries(lists)
    }
  }

  #moveList(list: PaymentList): void {
    const state = this.#state
    const first = this.#random.pick(list)
    const own = state.linkOf(first)
    const ways = state.problem.ways[first] ?? []
    if (own === UNSEEN || this.#closed.has(own) || ways.length === 0) return
    const { deposit: wanted } = this.#random.pick(ways)
    const moved = list.filter((one) => state.linkOf(one) === own)
    // If some payments of the list already had the wanted deposit, the reverse move would move them too. So the move is
    // left out.
    const isReversible = list.every((one) => state.linkOf(one) !== wanted)
    if (wanted === own || this.#closed.has(wanted) || !isReversible) return
    this.#unlink(moved)
    const before = this.#link(moved, own)
    this.#unlink(moved)
    const after = this.#link(moved, wanted)
    if (after !== undefined && Math.log(this.#fraction()) < after - (before ?? 0)) return
    if (after !== undefined) this.#unlink(moved)
    this.#link(moved, own)
  }

  /**
   * Moves lists that share payees to another wallet's deposits. Each list must have a single deposit now, and all of
   * these deposits must belong to one wallet.
   */
  #moveSeries(lists: readonly PaymentList[]): void {
    const state = this.#state
    const { senderOf, ways } = state.problem
    const owns = lists.map(([first = 0]) => state.linkOf(first))
    const isWhole = lists.every((list, place) =>
      list.every((one) => state.linkOf(one) === owns[place]),
    )
    const senders = new Set(owns.map((own) => senderOf[own]))
    const [sender] = senders
    const options = ways[lists[0]?.[0] ?? 0] ?? []
    const isFree = owns.every((own) => own !== UNSEEN && !this.#closed.has(own))
    if (!isWhole || senders.size !== 1 || !isFree || options.length === 0) return
    const wanted = senderOf[this.#random.pick(options).deposit]
    if (wanted === undefined || wanted === sender) return
    // A wallet is drawn in proportion to its number of possible deposits.
    const counts = [wanted, sender].map(
      (one) => options.filter(({ deposit }) => senderOf[deposit] === one).length,
    )
    for (const list of lists) this.#unlink(list)
    const before = this.#place(lists, senderOf[owns[0] ?? 0] ?? 0, owns)
    for (const list of lists) this.#unlink(list)
    const after = this.#place(lists, wanted)
    const correction = Math.log((counts[1] ?? 1) / (counts[0] ?? 1))
    const isAccepted =
      after !== undefined &&
      before !== undefined &&
      Math.log(this.#fraction()) < after - before + correction
    if (isAccepted) return
    for (const list of lists) this.#unlink(list)
    for (const [place, list] of lists.entries()) this.#link(list, owns[place] ?? 0)
  }

  /**
   * Places each list on a deposit of the wallet: on the given deposit, or else on a deposit that is drawn by its
   * weight. For each list, takes the logarithm of the total weight of the wallet's possible deposits. Returns the sum
   * of these logarithms; undefined if a list has no possible deposit.
   */
  #place(
    lists: readonly PaymentList[],
    sender: number,
    chosen?: readonly number[],
  ): number | undefined {
    let weight = 0
    for (const [place, list] of lists.entries()) {
      const options = (this.#depositsOf[sender] ?? []).flatMap((deposit) => {
        const log = this.#closed.has(deposit) ? undefined : this.#link(list, deposit)
        if (log === undefined) return []
        this.#unlink(list)
        return [{ deposit, log }]
      })
      if (options.length === 0) return undefined
      const { weights, log } = weightsOf(options.map((option) => option.log))
      // A deposit is drawn even if one is given, so that both cases use the same number of random numbers.
      const drawn = options[drawPlace(weights, this.#fraction)]
      this.#link(list, chosen?.[place] ?? drawn?.deposit ?? 0)
      weight += log
    }
    return weight
  }

  /**
   * Links the payments with a deposit, one after the other, and returns the sum of the gains. If one of the payments
   * can't come from the deposit, unlinks all of them again and returns undefined.
   */
  #link(list: PaymentList, deposit: number): number | undefined {
    const state = this.#state
    let gain = 0
    for (const [place, payment] of list.entries()) {
      const isPossible = (state.problem.ways[payment] ?? []).some((one) => one.deposit === deposit)
      if (!isPossible || !state.hasRoom(deposit, payment)) {
        this.#unlink(list.slice(0, place))
        return undefined
      }
      gain += state.gain(payment, deposit)
      state.link(payment, deposit)
    }
    return gain
  }

  #unlink(list: PaymentList): void {
    for (const payment of list) this.#state.unlink(payment)
  }
}
