import type { LinkProblem } from './link-problem.ts'

/** The data of a `LinkProblem` that describes who pays whom. */
type Payees = Pick<LinkProblem, 'paymentsTo' | 'ownWallet' | 'senders' | 'wanted'>

/**
 * The chance that a sender pays a payee, learnt from the sampler's current links. A sender pays either a payee whom it
 * has paid before, or any payee. In the second case, a payee's chance is in proportion to the number of other payments
 * to this payee.
 *
 * A payee is either the payee of one wallet or a shared payee. All payments to a payee of one wallet come from this
 * wallet, except for a share of `EXCEPTIONS`. Any wallet may pay a shared payee. The observer doesn't know which payees
 * are shared, so it weighs both hypotheses by the number of wallets that pay the payee in the current state.
 */
export class PayeeHabits {
  readonly #ownWallet: readonly (number | undefined)[]
  readonly #paymentsTo: readonly number[]
  /** For each payee: its share of the payments, without the payment whose chance is computed. */
  readonly #share: readonly number[]
  readonly #logShare: readonly number[]
  readonly #paid: Map<number, number>[]
  readonly #payments: number[]
  /** For each payee: the number of wallets that pay it, without the payee's own wallet. */
  readonly #payers: number[]
  #repeats = 0.1
  /** The share of shared payees among the payees with several payments. */
  #shared = SHARED_PRIOR[0] / SHARED_PRIOR[1]
  /** For each number of payers: the logarithm of the factor for one more payer. */
  #logMore: readonly number[] = []
  /** For each number of payers: the chance that the payee is shared. */
  #sharedWith: readonly number[] = []
  #logStranger = 0
  #rounds = 0

  constructor({ paymentsTo, ownWallet, senders, wanted }: Payees) {
    const total = paymentsTo.reduce((sum, count) => sum + count, 0)
    this.#paymentsTo = paymentsTo
    this.#share = paymentsTo.map((count) => Math.max(1, count - 1) / Math.max(1, total))
    this.#logShare = this.#share.map((share) => Math.log((1 - OWN_SHARE) * share))
    this.#ownWallet = ownWallet
    this.#paid = Array.from({ length: senders }, () => new Map<number, number>())
    this.#payments = new Array<number>(senders).fill(0)
    this.#payers = paymentsTo.map(() => 0)
    for (const { sender, payee } of wanted) this.add(sender, payee, 1)
    this.#refresh()
  }

  /** Adds a payment if `count` is 1. Removes a payment if `count` is -1. */
  add(sender: number, payee: number, count: 1 | -1): void {
    const paid = this.#paid[sender]
    const times = (paid?.get(payee) ?? 0) + count
    paid?.set(payee, times)
    this.#payments[sender] = (this.#payments[sender] ?? 0) + count
    const isNew = count === 1 ? times === 1 : times === 0
    if (isNew && this.#ownWallet[payee] !== sender) {
      this.#payers[payee] = (this.#payers[payee] ?? 0) + count
    }
  }

  /** The logarithm of the chance that `sender` pays `payee`. Call this before the payment is added. */
  logChance(sender: number, payee: number): number {
    const payments = this.#payments[sender] ?? 0
    const times = this.#paid[sender]?.get(payee) ?? 0
    const payers = Math.min(this.#payers[payee] ?? 0, PAYERS_MAX)
    const isOwn = this.#ownWallet[payee] === sender
    if (times === 0 && !isOwn) {
      const logFirst = payments === 0 ? 0 : this.#logStranger
      return logFirst + (this.#logShare[payee] ?? -Infinity) + (this.#logMore[payers] ?? 0)
    }
    const anybody =
      (1 - OWN_SHARE) * (this.#share[payee] ?? 0) * (this.#sharedWith[payers] ?? 0) +
      (isOwn ? OWN_SHARE : 0)
    if (payments === 0) return Math.log(anybody)
    return Math.log((1 - this.#repeats) * anybody + (this.#repeats * times) / payments)
  }

  /**
   * Learns from the added payments how often a sender pays the same payee again, and how many payees are shared. Most
   * initial links are wrong, so nearly all payees seem to be shared at first. The first `ROUNDS_KEPT` calls therefore
   * keep the prior share of shared payees.
   */
  learn(): void {
    let [again, all] = [1, 10]
    for (const [sender, paid] of this.#paid.entries()) {
      for (const count of paid.values()) again += Math.max(0, count - 1)
      all += Math.max(0, (this.#payments[sender] ?? 0) - 1)
    }
    this.#repeats = Math.min(again / all, REPEATS_MAX)
    this.#rounds += 1
    if (this.#rounds > ROUNDS_KEPT) this.#learnShared()
    this.#refresh()
  }

  #learnShared(): void {
    let [shared, all] = SHARED_PRIOR
    for (const [payee, count] of this.#paymentsTo.entries()) {
      if (count < 2 || this.#ownWallet[payee] !== undefined) continue
      const payers = this.#payers[payee] ?? 0
      all += 1
      if (payers > 1) shared += this.#sharedWith[Math.min(payers, PAYERS_MAX)] ?? 0
    }
    this.#shared = shared / all
  }

  #refresh(): void {
    const weights = Array.from(
      { length: PAYERS_MAX + 2 },
      (_, payers) => this.#shared + (1 - this.#shared) * EXCEPTIONS ** Math.max(0, payers - 1),
    )
    this.#sharedWith = weights.map((weight) => this.#shared / weight)
    this.#logMore = weights
      .slice(1)
      .map((more, payers) => Math.log(more / (weights[payers] ?? more)))
    this.#logStranger = Math.log(1 - this.#repeats)
  }
}

/**
 * The share of a sender's payments that go to the sender's own wallet, for example when the sender closes a balance.
 */
const OWN_SHARE = 0.02
const REPEATS_MAX = 0.9
/** The share of other wallets' payments among the later payments to a payee of one wallet. */
const EXCEPTIONS = 0.01
/**
 * The prior share of shared payees, as a number of shared payees and a number of all payees. With a weaker prior, the
 * sampler would learn a larger share from its own wrong links.
 */
const SHARED_PRIOR: readonly [number, number] = [4, 40]
/** A payee with more payers than this is treated as if it had exactly this many. */
const PAYERS_MAX = 8
/** The number of calls of `learn` that keep the prior share of shared payees. */
const ROUNDS_KEPT = 15
