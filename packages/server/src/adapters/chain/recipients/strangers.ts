import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { Random } from '../../../ports/random.ts'
import { StrangerPool } from './stranger-pool.ts'

/** Wallets that the chain shows: wallets that hold an asset, and active wallets that may not hold it. */
export interface SeenWallets {
  readonly holders: readonly Address[]
  readonly active: readonly Address[]
}

/** The known strangers of each kind: the holders of each asset, and active wallets. */
export class Strangers {
  readonly #random: Random
  readonly #keptMax: number
  readonly #holders = new Map<Address, StrangerPool>()
  readonly #active: StrangerPool

  constructor(random: Random, keptMax: number) {
    this.#random = random
    this.#keptMax = keptMax
    this.#active = new StrangerPool(random, keptMax)
  }

  add(mint: Address, { holders, active }: SeenWallets): void {
    if (mint !== NATIVE_MINT) this.#holdersOf(mint).add(holders)
    this.#active.add(active)
  }

  /** Takes at most `count` different wallets of each kind. None of them is refused by `isRefused`. */
  take(mint: Address, count: number, isRefused: (wallet: Address) => boolean): SeenWallets {
    const holders = this.#holdersOf(mint).take(count, isRefused)
    const isOut = (wallet: Address) => holders.includes(wallet) || isRefused(wallet)
    return { holders, active: this.#active.take(count, isOut) }
  }

  /** True if at least `count` wallets of each kind are still unused. */
  hasFresh(mint: Address, count: number): boolean {
    return [this.#holdersOf(mint), this.#active].every(({ freshCount }) => freshCount >= count)
  }

  #holdersOf(mint: Address): StrangerPool {
    // Every wallet can hold the native coin, so every active wallet counts as a holder.
    if (mint === NATIVE_MINT) return this.#active
    const known = this.#holders.get(mint)
    if (known !== undefined) return known
    const pool = new StrangerPool(this.#random, this.#keptMax)
    this.#holders.set(mint, pool)
    return pool
  }
}
