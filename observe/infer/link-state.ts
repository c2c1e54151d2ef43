import { DEPOSIT_CLASSES, PRIOR_KINDS } from './amounts.ts'
import { paymentIntervals } from './interval-model.ts'
import type { LinkProblem } from './link-problem.ts'
import { addLogs, logsOf } from './logs.ts'
import { PayeeHabits } from './payee-habits.ts'
import { GAP_SECONDS } from './list-limits.ts'
import { QuoteFacts, type QuotedAt } from './quote-facts.ts'
import { TopUpValues, type PaidTopUp } from './top-up-values.ts'
import { TransferDelays, waitEnd, type TransferTime } from './transfer-delays.ts'

/** The index that stands for all deposits that the observer didn't see. */
export const UNSEEN = -1
/** The logarithm of the chance that a payment comes from an unseen deposit. */
const LOG_UNSEEN = -60
/**
 * The logarithm of the factor for an impossible sequence: a payment can't have spent the change of the payment before
 * it.
 */
const LOG_IMPOSSIBLE = -60

/** One assignment of every payment to a deposit, and the habits that the observer learns from this assignment. */
export class LinkState {
  readonly problem: LinkProblem
  readonly #links: number[]
  readonly #members: number[][]
  /** For each deposit: the amount that further payments can still take from it. */
  readonly #left: bigint[]
  readonly #habits: PayeeHabits
  readonly #delays = new TransferDelays()
  readonly #quotes: QuoteFacts
  readonly #values: TopUpValues
  /**
   * Intervals from a top-up to its first payment. They are often short, because people top up when they want to pay at
   * once.
   */
  readonly #firstIntervals = paymentIntervals()
  /** Intervals between two payments of a balance. */
  readonly #laterIntervals = paymentIntervals()
  /** For each deposit: the score (log-likelihood) of its current payments; undefined until it is computed. */
  #scores: (number | undefined)[] = []
  /** For each class of deposits: the logarithms of the chance of a top-up and of the chance of a transfer. */
  #topUps = DEPOSIT_CLASSES.map((name) => logsOf(PRIOR_KINDS[name]))
  /**
   * For each payment: the score of the time after the payment, if no payment of the balance follows; undefined until
   * the score is computed.
   */
  #quietAfter: (number | undefined)[] = []

  constructor(problem: LinkProblem) {
    this.problem = problem
    const { sightings } = problem
    this.#links = sightings.settlements.map(() => UNSEEN)
    this.#members = sightings.deposits.map(() => [])
    this.#left = [...problem.spendable]
    this.#habits = new PayeeHabits(problem)
    this.#quotes = new QuoteFacts(sightings)
    this.#values = new TopUpValues(sightings)
  }

  /** The deposit of a payment, or `UNSEEN`. */
  linkOf(payment: number): number {
    return this.#links[payment] ?? UNSEEN
  }

  /** The payments of a deposit, by time. */
  membersOf(deposit: number): readonly number[] {
    return this.#members[deposit] ?? []
  }

  /** True if enough of the deposit is left for the payment. */
  hasRoom(deposit: number, payment: number): boolean {
    const gross = this.problem.gross[payment] ?? 0n
    return gross <= (this.#left[deposit] ?? 0n)
  }

  /** Links an unlinked payment. */
  link(payment: number, deposit: number): void {
    this.#links[payment] = deposit
    if (deposit === UNSEEN) return
    this.#scores[deposit] = undefined
    this.#members[deposit] = this.#withPayment(deposit, payment)
    this.#left[deposit] = (this.#left[deposit] ?? 0n) - (this.problem.gross[payment] ?? 0n)
    this.#addHabits(deposit, payment, 1)
  }

  /** Removes a payment's link. Returns the deposit to which the payment was linked. */
  unlink(payment: number): number {
    const deposit = this.linkOf(payment)
    this.#links[payment] = UNSEEN
    if (deposit === UNSEEN) return deposit
    this.#scores[deposit] = undefined
    this.#members[deposit] = this.membersOf(deposit).filter((one) => one !== payment)
    this.#left[deposit] = (this.#left[deposit] ?? 0n) + (this.problem.gross[payment] ?? 0n)
    this.#addHabits(deposit, payment, -1)
    return deposit
  }

  /**
   * Linking the payment to the deposit would multiply the likelihood by a factor. Returns the logarithm of this factor,
   * up to a constant. The payment must be unlinked.
   */
  gain(payment: number, deposit: number): number {
    if (deposit === UNSEEN) return LOG_UNSEEN
    return (
      this.#score(deposit, this.membersOf(deposit), payment) -
      this.#scoreNow(deposit) +
      this.#logWallet(deposit, payment)
    )
  }

  /** Learns delays, intervals, habits and the share of top-ups from the current links. */
  learn(): void {
    const delays: { time: TransferTime; weight: number }[] = []
    const first: { seconds: number; weight: number }[] = []
    const later: { seconds: number; weight: number }[] = []
    const quotes: QuotedAt[] = []
    const topUps: PaidTopUp[] = []
    const kinds = DEPOSIT_CLASSES.map((name) => [...PRIOR_KINDS[name]] as [number, number])
    for (const { index } of this.problem.sightings.deposits) {
      const members = this.membersOf(index)
      const isTopUp = this.#topUpChance(index, members)
      const ofClass = kinds[this.problem.depositClass[index] ?? 0]
      if (ofClass !== undefined) {
        ofClass[0] += isTopUp
        ofClass[1] += 1 - isTopUp
      }
      const begin = this.#depositSeconds(index)
      topUps.push({ deposit: index, weight: isTopUp, members })
      let since = begin
      for (const [place, settlement] of members.entries()) {
        const seconds = this.#paymentSeconds(settlement) - since
        since += seconds
        quotes.push({ settlement, seconds: since, weight: isTopUp })
        quotes.push({ settlement, seconds: begin, weight: 1 - isTopUp })
        if (members.length === 1) {
          delays.push({ time: this.#transferTime(index, settlement), weight: 1 - isTopUp })
        }
        const intervals = place === 0 ? first : later
        intervals.push({ seconds, weight: isTopUp })
      }
    }
    this.#delays.learn(delays)
    this.#quotes.learn(quotes)
    this.#values.learn(topUps)
    this.#firstIntervals.learn(first)
    this.#laterIntervals.learn(later)
    this.#topUps = kinds.map(logsOf)
    this.#habits.learn()
    this.#scores = []
    this.#quietAfter = []
  }

  #sender(deposit: number): number {
    return this.problem.senderOf[deposit] ?? 0
  }

  #logWallet(deposit: number, payment: number): number {
    let log = this.problem.recoveries.logPayer(payment, deposit)
    for (const payee of this.problem.payeesOf[payment] ?? []) {
      log += this.#habits.logChance(this.#sender(deposit), payee)
    }
    return log
  }

  #addHabits(deposit: number, payment: number, count: 1 | -1): void {
    for (const payee of this.problem.payeesOf[payment] ?? []) {
      this.#habits.add(this.#sender(deposit), payee, count)
    }
  }

  #depositSeconds(deposit: number): number {
    return this.problem.sightings.deposits[deposit]?.seconds ?? 0
  }

  #paymentSeconds(payment: number): number {
    return this.problem.sightings.settlements[payment]?.seconds ?? 0
  }

  /** Settlements are numbered in the order of the tree, so sorting by number sorts them by time. */
  #withPayment(deposit: number, payment: number): number[] {
    const members = this.membersOf(deposit)
    const later = members.findIndex((one) => one > payment)
    return later < 0
      ? [...members, payment]
      : [...members.slice(0, later), payment, ...members.slice(later)]
  }

  #scoreNow(deposit: number): number {
    const known = this.#scores[deposit]
    if (known !== undefined) return known
    return (this.#scores[deposit] = this.#score(deposit, this.membersOf(deposit)))
  }

  /** The score of a deposit with these payments and, if `added` is given, with one more payment. */
  #score(deposit: number, members: readonly number[], added?: number): number {
    const [logTopUp, logTransfer] = this.#logKinds(deposit)
    const asTopUp = logTopUp + this.#scoreAsTopUp(deposit, members, added)
    const asTransfer = this.#scoreAsTransfer(deposit, members, added)
    if (asTransfer === undefined) return asTopUp
    return addLogs(asTopUp, logTransfer + asTransfer)
  }

  #logKinds(deposit: number): readonly [number, number] {
    return this.#topUps[this.problem.depositClass[deposit] ?? 0] ?? EVEN
  }

  /** The score of the deposit as a transfer; undefined if one transfer can't have made these payments. */
  #scoreAsTransfer(
    deposit: number,
    members: readonly number[],
    added?: number,
  ): number | undefined {
    const only = added ?? members[0]
    const count = members.length + (added === undefined ? 0 : 1)
    if (count > 1 || !this.problem.canBeTransfer(deposit, only)) return undefined
    if (only === undefined) {
      const { untilSeconds, deposits } = this.problem.sightings
      return this.#delays.logSurvival({
        delay: untilSeconds - this.#depositSeconds(deposit),
        sinceWaitEnd: untilSeconds - waitEnd(deposits[deposit] ?? NEVER),
      })
    }
    const quoted = this.#quotes.logAt(only, this.#depositSeconds(deposit))
    return quoted + this.#delays.logDensity(this.#transferTime(deposit, only))
  }

  #transferTime(deposit: number, payment: number): TransferTime {
    const seconds = this.#paymentSeconds(payment)
    const recent = this.problem.recent[payment] ?? 'none'
    return {
      delay: seconds - this.#depositSeconds(deposit),
      sinceWaitEnd: seconds - waitEnd(this.problem.sightings.deposits[deposit] ?? NEVER),
      couldHaveCrowd:
        recent === 'several' || (recent !== 'none' && recent !== this.#sender(deposit)),
    }
  }

  /**
   * The sampler spends most of its time in this method. So the method takes the added payment as a separate parameter,
   * instead of a new list with all payments.
   */
  #scoreAsTopUp(deposit: number, members: readonly number[], added = NONE): number {
    let since = this.#depositSeconds(deposit)
    let score = 0
    let intervals = this.#firstIntervals
    let last = NONE
    let left = added
    let [sum, count] = [0, 0]
    let isFirst = true
    for (let place = 0; place < members.length || left !== NONE;) {
      const next = members[place] ?? NONE
      const isAdded = left !== NONE && (next === NONE || left < next)
      const previous = last
      last = isAdded ? left : next
      if (previous !== NONE && !this.problem.canFollow(last, previous)) score += LOG_IMPOSSIBLE
      if (isAdded) left = NONE
      else place += 1
      const seconds = this.#paymentSeconds(last)
      isFirst &&= previous === NONE || seconds - since <= GAP_SECONDS
      if (isFirst) {
        sum += this.#values.sizeOf(last)
        count += 1
      }
      score += intervals.logDensity(seconds - since)
      score += this.problem.amountChance[last] ?? 0
      score += this.#quotes.logAtPayment(last)
      since = seconds
      intervals = this.#laterIntervals
    }
    score += this.#values.logAt(deposit, sum, count)
    return score + (last === NONE ? this.#unused(since) : this.#quiet(last))
  }

  /** The score of the time after a top-up without payments. */
  #unused(since: number): number {
    return this.#firstIntervals.logSurvival(this.problem.sightings.untilSeconds - since)
  }

  /** The score of the time after a balance's last payment. */
  #quiet(last: number): number {
    const since = this.#paymentSeconds(last)
    return (this.#quietAfter[last] ??= this.#laterIntervals.logSurvival(
      this.problem.sightings.untilSeconds - since,
    ))
  }

  #topUpChance(deposit: number, members: readonly number[]): number {
    const asTransfer = this.#scoreAsTransfer(deposit, members)
    if (asTransfer === undefined) return 1
    const [logTopUp, logTransfer] = this.#logKinds(deposit)
    const asTopUp = logTopUp + this.#scoreAsTopUp(deposit, members)
    return Math.exp(asTopUp - addLogs(asTopUp, logTransfer + asTransfer))
  }
}

/** Stands for "no payment". Settlements are numbered from 0. */
const NONE = -1

const NEVER = { deadline: Infinity }
const EVEN = logsOf([1, 1])
