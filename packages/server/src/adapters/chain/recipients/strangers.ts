import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { Random } from '../../../ports/random.ts'
import { StrangerPool } from './stranger-pool.ts'

/** Wallets that the chain shows: wallets that hold an asset, and active wallets that may not hold it. */
export interface SeenWallets {
  readonly holders: readonly Address[]
  readonly active: readonly Address[]
}

/**
 * Maximum number of tokens whose holders become decoys of one recipient. With four tokens, a request for a token names
 * 98 accounts. A node answers for at most 100 accounts.
 */
const TOKENS_MAX = 4

/**
 * The known strangers of each kind. The kind of a token's holders is the token's mint. The kind of active wallets is
 * the native mint, because every wallet can hold the native coin.
 */
export class Strangers {
  readonly #random: Random
  readonly #keptMax: number
  readonly #pools = new Map<Address, StrangerPool>()

  constructor(random: Random, keptMax: number) {
    this.#random = random
    this.#keptMax = keptMax
  }

  add(mint: Address, { holders, active }: SeenWallets): void {
    const isUsed = (wallet: Address) => [...this.#pools.values()].some((one) => one.isUsed(wallet))
    if (mint !== NATIVE_MINT) this.of(mint).add(holders, isUsed)
    this.of(NATIVE_MINT).add(active, isUsed)
  }

  /**
   * Takes at most `count` different wallets of one kind for which `isRefused` is false. They then count as used for
   * every kind, because a wallet may have several kinds, but must be a decoy of only one recipient.
   */
  take(kind: Address, count: number, isRefused: (wallet: Address) => boolean): Address[] {
    const taken = this.of(kind).take(count, isRefused)
    for (const [other, pool] of this.#pools) if (other !== kind) pool.use(taken)
    return taken
  }

  /** The kinds of decoys that a recipient of this asset needs: active wallets and the holders of each token. */
  kindsFor(mint: Address): Address[] {
    const tokens = new Set([mint, ...this.#pools.keys()])
    tokens.delete(NATIVE_MINT)
    return [...[...tokens].slice(0, TOKENS_MAX), NATIVE_MINT]
  }

  /** The wallets of one kind. */
  of(kind: Address): StrangerPool {
    const known = this.#pools.get(kind)
    if (known !== undefined) return known
    const pool = new StrangerPool(this.#random, this.#keptMax)
    this.#pools.set(kind, pool)
    return pool
  }
}
