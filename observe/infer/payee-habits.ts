/**
 * The chance that a sender pays a payee, learnt from the other links in a state of the sampler. A sender pays either
 * somebody whom it has paid before, or anybody, in proportion to the number of payments that each payee gets.
 */
export class PayeeHabits {
  readonly #share: readonly number[]
  readonly #ownWallet: readonly (number | undefined)[]
  readonly #paid: Map<number, number>[]
  readonly #payments: number[]
  #repeats = 0.1

  /** `payments[p]` counts the payments to payee p, and `ownWallet[p]` is the sender that is p itself, if any. */
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
  }

  /** Adds a payment, or removes one with -1. */
  add(sender: number, payee: number, count: 1 | -1): void {
    const paid = this.#paid[sender]
    paid?.set(payee, (paid.get(payee) ?? 0) + count)
    this.#payments[sender] = (this.#payments[sender] ?? 0) + count
  }

  /** The logarithm of the chance that `sender` pays `payee`. Call it before the payment itself is added. */
  logChance(sender: number, payee: number): number {
    return Math.log(this.#anybody(sender, payee) + this.#again(sender, payee))
  }

  /** Learns from the added payments how often the same sender pays a payee again. */
  learn(): void {
    let [again, all] = [1, 10]
    for (const [sender, paid] of this.#paid.entries()) {
      for (const count of paid.values()) again += Math.max(0, count - 1)
      all += Math.max(0, (this.#payments[sender] ?? 0) - 1)
    }
    this.#repeats = Math.min(again / all, REPEATS_MAX)
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

/** The share of payments that a sender makes to its own wallet, such as the closing of a balance. */
const OWN_SHARE = 0.02
const REPEATS_MAX = 0.9
