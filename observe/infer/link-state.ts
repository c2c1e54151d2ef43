import { DEPOSIT_CLASSES } from './amounts.ts'
import { paymentIntervals, transferDelays } from './interval-model.ts'
import type { LinkProblem } from './link-problem.ts'
import { PayeeHabits } from './payee-habits.ts'

/** The index for all deposits that the observer didn't see. */
export const UNSEEN = -1
/** The logarithm of the chance that a payment comes from an unseen deposit. */
const LOG_UNSEEN = -60

/** The prior of each class: the numbers of top-ups and of transfers that are assumed before anything is learnt. */
const PRIOR_KINDS: Readonly<Record<(typeof DEPOSIT_CLASSES)[number], readonly [number, number]>> = {
  swap: [0.1, 5],
  round: [1, 1],
  odd: [0.5, 2],
}

/** One assignment of every payment to a deposit, and the habits that the observer learns from it. */
export class LinkState {
  readonly problem: LinkProblem
  readonly #links: number[]
  readonly #members: number[][]
  readonly #spent: bigint[]
  readonly #habits: PayeeHabits
  readonly #delays = transferDelays()
  /** Intervals from a top-up to its first payment. People often top up because they want to pay at once. */
  readonly #firstIntervals = paymentIntervals()
  /** Intervals between two payments of a balance. */
  readonly #laterIntervals = paymentIntervals()
  /** The score of each deposit with its current payments; undefined until it is computed. */
  #scores: (number | undefined)[] = []
  /** For each class of deposits: the chance of being a top-up. */
  #topUps = DEPOSIT_CLASSES.map((name) => meanOf(PRIOR_KINDS[name]))

  constructor(problem: LinkProblem) {
    this.problem = problem
    const { sightings, paymentsTo, ownWallet, senders } = problem
    this.#links = sightings.settlements.map(() => UNSEEN)
    this.#members = sightings.deposits.map(() => [])
    this.#spent = sightings.deposits.map(() => 0n)
    this.#habits = new PayeeHabits(paymentsTo, ownWallet, senders)
  }

  /** The deposit of a payment, or `UNSEEN`. */
  linkOf(payment: number): number {
    return this.#links[payment] ?? UNSEEN
  }

  /** The payments of a deposit, by time. */
  membersOf(deposit: number): readonly number[] {
    return this.#members[deposit] ?? []
  }

  /** True if the deposit has enough left for the payment. */
  hasRoom(deposit: number, payment: number): boolean {
    const gross = this.problem.gross[payment] ?? 0n
    return (this.#spent[deposit] ?? 0n) + gross <= (this.problem.spendable[deposit] ?? 0n)
  }

  /** Links an unlinked payment. */
  link(payment: number, deposit: number): void {
    this.#links[payment] = deposit
    if (deposit === UNSEEN) return
    this.#scores[deposit] = undefined
    this.#members[deposit] = this.#withPayment(deposit, payment)
    this.#spent[deposit] = (this.#spent[deposit] ?? 0n) + (this.problem.gross[payment] ?? 0n)
    this.#habits.add(this.#sender(deposit), this.#payee(payment), 1)
  }

  /** Removes a payment's link. Returns the deposit. */
  unlink(payment: number): number {
    const deposit = this.linkOf(payment)
    this.#links[payment] = UNSEEN
    if (deposit === UNSEEN) return deposit
    this.#scores[deposit] = undefined
    this.#members[deposit] = this.membersOf(deposit).filter((one) => one !== payment)
    this.#spent[deposit] = (this.#spent[deposit] ?? 0n) - (this.problem.gross[payment] ?? 0n)
    this.#habits.add(this.#sender(deposit), this.#payee(payment), -1)
    return deposit
  }

  /** The logarithm of the factor by which linking an unlinked payment changes the likelihood, up to a constant. */
  gain(payment: number, deposit: number): number {
    if (deposit === UNSEEN) return LOG_UNSEEN
    return (
      this.#score(deposit, this.#withPayment(deposit, payment)) -
      this.#scoreNow(deposit) +
      this.#habits.logChance(this.#sender(deposit), this.#payee(payment))
    )
  }

  /** Learns delays, intervals, habits and the share of top-ups from the current links. */
  learn(): void {
    const delays: { seconds: number; weight: number }[] = []
    const first: { seconds: number; weight: number }[] = []
    const later: { seconds: number; weight: number }[] = []
    const kinds = DEPOSIT_CLASSES.map((name) => [...PRIOR_KINDS[name]] as [number, number])
    for (const { index } of this.problem.sightings.deposits) {
      const members = this.membersOf(index)
      const isTopUp = this.#topUpChance(index, members)
      const ofClass = kinds[this.problem.depositClass[index] ?? 0]
      if (ofClass !== undefined) {
        ofClass[0] += isTopUp
        ofClass[1] += 1 - isTopUp
      }
      let since = this.#depositSeconds(index)
      for (const [place, payment] of members.entries()) {
        const seconds = this.#paymentSeconds(payment) - since
        since += seconds
        if (members.length === 1) delays.push({ seconds, weight: 1 - isTopUp })
        const intervals = place === 0 ? first : later
        intervals.push({ seconds, weight: isTopUp })
      }
    }
    this.#delays.learn(delays)
    this.#firstIntervals.learn(first)
    this.#laterIntervals.learn(later)
    this.#topUps = kinds.map(meanOf)
    this.#habits.learn()
    this.#scores = []
  }

  #sender(deposit: number): number {
    return this.problem.senderOf[deposit] ?? 0
  }

  #payee(payment: number): number {
    return this.problem.payeeOf[payment] ?? 0
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

  #score(deposit: number, members: readonly number[]): number {
    const topUp = this.#topUps[this.problem.depositClass[deposit] ?? 0] ?? 0.5
    const asTopUp = Math.log(topUp) + this.#scoreAsTopUp(deposit, members)
    const asTransfer = this.#scoreAsTransfer(deposit, members)
    if (asTransfer === undefined) return asTopUp
    return addLogs(asTopUp, Math.log(1 - topUp) + asTransfer)
  }

  /** The score of the deposit as a transfer; undefined if a transfer can't have made these payments. */
  #scoreAsTransfer(deposit: number, members: readonly number[]): number | undefined {
    const [only, ...more] = members
    const made = this.#depositSeconds(deposit)
    if (only === undefined) {
      return this.#delays.logSurvival(this.problem.sightings.untilSeconds - made)
    }
    const isWhole = this.problem.gross[only] === this.problem.spendable[deposit]
    if (more.length > 0 || !isWhole) return undefined
    return this.#delays.logDensity(this.#paymentSeconds(only) - made)
  }

  #scoreAsTopUp(deposit: number, members: readonly number[]): number {
    let since = this.#depositSeconds(deposit)
    let score = 0
    let intervals = this.#firstIntervals
    for (const payment of members) {
      const seconds = this.#paymentSeconds(payment)
      score += intervals.logDensity(seconds - since)
      score += this.problem.amountChance[payment] ?? 0
      since = seconds
      intervals = this.#laterIntervals
    }
    return score + intervals.logSurvival(this.problem.sightings.untilSeconds - since)
  }

  #topUpChance(deposit: number, members: readonly number[]): number {
    const asTransfer = this.#scoreAsTransfer(deposit, members)
    if (asTransfer === undefined) return 1
    const topUp = this.#topUps[this.problem.depositClass[deposit] ?? 0] ?? 0.5
    const asTopUp = Math.log(topUp) + this.#scoreAsTopUp(deposit, members)
    return Math.exp(asTopUp - addLogs(asTopUp, Math.log(1 - topUp) + asTransfer))
  }
}

const meanOf = ([yes, no]: readonly [number, number]): number => yes / (yes + no)

/** The logarithm of the sum of two numbers that are given by their logarithms. */
function addLogs(left: number, right: number): number {
  const most = Math.max(left, right)
  return most + Math.log(Math.exp(left - most) + Math.exp(right - most))
}
