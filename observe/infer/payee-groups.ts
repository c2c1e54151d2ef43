import type { LinkProblem } from './link-problem.ts'
import { drawPlace } from './logs.ts'

/** Payees with more payments than this are probably shared, so their payments aren't moved together. */
const PAYMENTS_MAX = 12

/** For each payment of a group: deposits from which it may come. */
export type Options = readonly (readonly number[])[]

/** The payments to one payee whose links the sampler draws together. */
export class PayeeGroup {
  readonly payments: readonly number[]
  /** For each payment: all possible deposits. */
  readonly ways: Options
  /** The possible deposits of each wallet that can have made all payments. */
  readonly byWallet: ReadonlyMap<number, Options>
  readonly #senderOf: readonly number[]
  /** For each payment and possible deposit: the weight with which `propose` draws this deposit. */
  readonly #weights: readonly ReadonlyMap<number, number>[]
  /** For each wallet in `byWallet`: the total weight of all ways to link the payments to the wallet's deposits. */
  readonly #ofWallet: readonly number[]
  readonly #ofWallets: number

  constructor(problem: LinkProblem, payments: readonly number[], closed: ReadonlySet<number>) {
    const { senderOf, ways } = problem
    this.payments = payments
    this.#senderOf = senderOf
    this.ways = payments.map((payment) =>
      (ways[payment] ?? []).flatMap(({ deposit }) => (closed.has(deposit) ? [] : [deposit])),
    )
    const bySender = this.ways.map((deposits) => groupBySender(deposits, senderOf))
    const wallets = [...(bySender[0]?.keys() ?? [])].filter((wallet) =>
      bySender.every((ofOne) => ofOne.has(wallet)),
    )
    this.byWallet = new Map(
      wallets.map((wallet) => [wallet, bySender.map((ofOne) => ofOne.get(wallet) ?? [])]),
    )
    this.#weights = payments.map(
      (payment, place) =>
        new Map(this.ways[place]?.map((one) => [one, usualWeight(problem, payment, one)])),
    )
    this.#ofWallet = [...this.byWallet.values()].map((options) => this.#totalOf(options))
    this.#ofWallets = this.#ofWallet.reduce((sum, weight) => sum + weight, 0)
  }

  /** True if there is more than one way to link the payments, and one wallet can have made all of them. */
  isFree(): boolean {
    const isFree = this.ways.some(({ length }) => length > 1)
    return this.byWallet.size > 0 && isFree
  }

  /** The wallet that made all these deposits; undefined if several wallets made them. */
  payerOf(deposits: readonly number[]): number | undefined {
    const payer = this.#senderOf[deposits[0] ?? 0]
    return deposits.every((deposit) => this.#senderOf[deposit] === payer) ? payer : undefined
  }

  /**
   * Draws a deposit for each payment. In half of the cases, all deposits belong to one wallet. In the other half, the
   * deposits are drawn independently of each other.
   */
  propose(fraction: () => number): number[] {
    const wallet = fraction() < 0.5 ? undefined : drawPlace(this.#ofWallet, fraction)
    const options = [...this.byWallet.values()][wallet ?? -1] ?? this.ways
    return options.map((deposits, place) => {
      const weights = deposits.map((one) => this.#weightOf(place, one))
      return deposits[drawPlace(weights, fraction)] ?? 0
    })
  }

  /** The logarithm of the chance that `propose` returns these deposits. */
  logProposal(deposits: readonly number[]): number {
    const weight = deposits.reduce((all, one, place) => all * this.#weightOf(place, one), 1)
    const apart = weight / this.#totalOf(this.ways)
    const isTogether = this.payerOf(deposits) !== undefined
    return Math.log((apart + (isTogether ? weight / this.#ofWallets : 0)) / 2)
  }

  #weightOf(place: number, deposit: number): number {
    return this.#weights[place]?.get(deposit) ?? 0
  }

  #totalOf(options: Options): number {
    return options.reduce(
      (all, deposits, place) =>
        all * deposits.reduce((sum, one) => sum + this.#weightOf(place, one), 0),
      1,
    )
  }
}

/**
 * Groups the payments to each payee that gets several payments. Leaves out payments with a fixed link, and payments to
 * wallets that made deposits.
 */
export function findGroups(
  problem: LinkProblem,
  fixed: ReadonlySet<number>,
  closed: ReadonlySet<number>,
): PayeeGroup[] {
  const { payments, payeeOf, ownWallet } = problem
  const ofPayee = new Map<number, number[]>()
  for (const { index } of payments) {
    const payee = payeeOf[index] ?? 0
    if (fixed.has(index) || ownWallet[payee] !== undefined) continue
    ofPayee.set(payee, [...(ofPayee.get(payee) ?? []), index])
  }
  return [...ofPayee.values()]
    .filter(({ length }) => length > 1 && length <= PAYMENTS_MAX)
    .map((members) => new PayeeGroup(problem, members, closed))
    .filter((group) => group.isFree())
}

/**
 * The weight with which `propose` draws a deposit. A deposit gets a high weight if the payment takes the whole deposit
 * soon after it, because most payments are transfers and are delivered soon. The weights save time and don't change the
 * sampler's result.
 */
function usualWeight({ sightings, gross }: LinkProblem, payment: number, deposit: number): number {
  const { seconds = 0, value = 0n } = sightings.deposits[deposit] ?? {}
  const delay = Math.max(0, (sightings.settlements[payment]?.seconds ?? 0) - seconds)
  return (value === gross[payment] ? 1 : OUT_OF_BALANCE) / (1 + delay / USUAL_DELAY)
}

const OUT_OF_BALANCE = 0.1
const USUAL_DELAY = 1_000

function groupBySender(
  deposits: readonly number[],
  senderOf: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const found = new Map<number, number[]>()
  for (const deposit of deposits) {
    const sender = senderOf[deposit] ?? 0
    const known = found.get(sender)
    if (known === undefined) found.set(sender, [deposit])
    else known.push(deposit)
  }
  return found
}
