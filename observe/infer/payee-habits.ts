/**
 * The chance that a sender pays a payee, learnt from the sampler's current links. A sender pays either a payee whom it
 * has paid before, or any payee. In the second case, a payee's chance is in proportion to the number of payments to
 * this payee.
 */
export class PayeeHabits {
  readonly #share: readonly number[]
  readonly #ownWallet: readonly (number | undefined)[]
  readonly #paid: Map<number, number>[]
  readonly #payments: number[]
  /** For each payee: the logarithm of the chance that a wallet without earlier payments pays it. */
  readonly #logFirst: readonly number[]
  /** For each payee: the logarithm of the chance that a wallet with earlier payments, all to other payees, pays it. */
  #logOther: readonly number[] = []
  #repeats = 0.1

  /**
   * `payments[p]` is the number of payments to payee p. `ownWallet[p]` is the number of the sender that has the payee's
   * wallet; undefined if no sender has it.
   */
  constructor(
    payments: readonly number[],
    ownWallet: readonly (number | undefined)[],
    senders: number,
  ) {
    const total = payments.reduce((sum, count) => sum + count, 0)
    this.#share = payments.map((count) => count / Math.max(1, total))
    this.#ownWallet = ownWallet
    this.#paid = Array.from({ length: senders }, () => new Map<number, number>())
    this.#payments = new Array<number>(senders).fill(0)
    this.#logFirst = this.#share.map((share) => Math.log((1 - OWN_SHARE) * share))
    this.#refresh()
  }

  /** Adds a payment if `count` is 1. Removes a payment if `count` is -1. */
  add(sender: number, payee: number, count: 1 | -1): void {
    const paid = this.#paid[sender]
    paid?.set(payee, (paid.get(payee) ?? 0) + count)
    this.#payments[sender] = (this.#payments[sender] ?? 0) + count
  }

  /** The logarithm of the chance that `sender` pays `payee`. Call this before the payment is added. */
  logChance(sender: number, payee: number): number {
    if (this.#ownWallet[payee] !== sender) {
      if (this.#payments[sender] === 0) return this.#logFirst[payee] ?? -Infinity
      const times = this.#paid[sender]?.get(payee) ?? 0
      if (times === 0) return this.#logOther[payee] ?? -Infinity
    }
    return Math.log(this.#anybody(sender, payee) + this.#again(sender, payee))
  }

  /** Learns from the added payments how often a sender pays the same payee again. */
  learn(): void {
    let [again, all] = [1, 10]
    for (const [sender, paid] of this.#paid.entries()) {
      for (const count of paid.values()) again += Math.max(0, count - 1)
      all += Math.max(0, (this.#payments[sender] ?? 0) - 1)
    }
    this.#repeats = Math.min(again / all, REPEATS_MAX)
    this.#refresh()
  }

  #refresh(): void {
    this.#logOther = this.#share.map((share) =>
      Math.log((1 - this.#repeats) * ((1 - OWN_SHARE) * share)),
    )
  }

  #anybody(sender: number, payee: number): number {
    const isOwn = this.#ownWallet[payee] === sender
    const isFirst = (this.#payments[sender] ?? 0) === 0
    const share = (1 - OWN_SHARE) * (this.#share[payee] ?? 0) + (isOwn ? OWN_SHARE : 0)
    return (isFirst ? 1 : 1 - this.#repeats) * share
  }

  #again(sender: number, payee: number): number {
    const payments = this.#payments[sender] ?? 0
    if (payments === 0) return 0
    return (this.#repeats * (this.#paid[sender]?.get(payee) ?? 0)) / payments
  }
}

/**
 * The share of a sender's payments that go to the sender's own wallet, for example when the sender closes a balance.
 */
const OWN_SHARE = 0.02
const REPEATS_MAX = 0.9
