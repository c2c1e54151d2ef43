import type { Address } from '@sotto/protocol'
import type { Random } from '../../../ports/random.ts'
import { makeRoom } from '../../../running/shared-answer.ts'

/**
 * Wallets of strangers that the chain showed recently, all of one kind. They become decoys for recipients. A node could
 * recognise a decoy that appears in many requests, so the pool gives out each wallet only once. If all wallets are
 * used, it gives out used wallets again, the least recently used wallet first.
 */
export class StrangerPool {
  readonly #random: Random
  readonly #keptMax: number
  readonly #fresh = new Map<Address, true>()
  readonly #used = new Map<Address, true>()

  /** The pool keeps at most `keptMax` unused wallets and at most `keptMax` used wallets. */
  constructor(random: Random, keptMax: number) {
    this.#random = random
    this.#keptMax = keptMax
  }

  get freshCount(): number {
    return this.#fresh.size
  }

  isUsed(wallet: Address): boolean {
    return this.#used.has(wallet)
  }

  /**
   * Adds wallets. A wallet for which `isUsed` is true was used as a decoy of another kind, so it counts as used here
   * too.
   */
  add(wallets: Iterable<Address>, isUsed: (wallet: Address) => boolean = () => false): void {
    for (const wallet of wallets) {
      if (this.#fresh.has(wallet) || this.#used.has(wallet)) continue
      const kept = isUsed(wallet) ? this.#used : this.#fresh
      makeRoom(kept, this.#keptMax)
      kept.set(wallet, true)
    }
  }

  /** Marks wallets of this pool as used. Ignores wallets that aren't in the pool. */
  use(wallets: Iterable<Address>): void {
    for (const wallet of wallets) {
      const isKnown = this.#fresh.delete(wallet) || this.#used.delete(wallet)
      if (!isKnown) continue
      makeRoom(this.#used, this.#keptMax)
      this.#used.set(wallet, true)
    }
  }

  /** Takes at most `count` different wallets for which `isRefused` is false. */
  take(count: number, isRefused: (wallet: Address) => boolean): Address[] {
    const taken = new Set<Address>()
    const fresh = [...this.#fresh.keys()].filter((one) => !isRefused(one))
    while (taken.size < count && fresh.length > 0) {
      const [one] = fresh.splice(this.#random.below(fresh.length), 1)
      if (one !== undefined) taken.add(one)
    }
    for (const one of this.#used.keys()) {
      if (taken.size >= count) break
      if (!isRefused(one)) taken.add(one)
    }
    this.use(taken)
    return [...taken]
  }
}
