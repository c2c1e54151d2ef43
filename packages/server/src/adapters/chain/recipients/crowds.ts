import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { getBase58Decoder } from '@solana/kit'
import { NATIVE_MINT, type Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { makeRoom } from '../../../running/shared-answer.ts'
import { StrangerPool } from './stranger-pool.ts'

/**
 * Decoys of each kind: wallets that hold the asset, active wallets that may not hold it, and new ones. A node sees in
 * its own answer which accounts exist, so a recipient is hidden only among decoys whose accounts look like its own.
 */
export const DECOYS_OF_KIND = 8
/** Longer than anyone returns to the same quote. */
const KEPT_MS = 86_400_000
/** New wallets that are made in advance, because making one takes a fifth of a millisecond. */
const NEW_WALLETS_MAX = 256
/** Bounds memory to about ten megabytes. */
const CROWDS_MAX = 4_096

interface Crowd {
  readonly wallets: readonly Address[]
  readonly place: number
  readonly madeAtMs: number
}

/**
 * Hides each recipient among decoys. A recipient keeps its decoys for a day, for every asset: with different decoys in
 * each request, the recipient would be the only wallet that all requests have in common.
 */
export class Crowds {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #random: Random
  readonly #crowds = new Map<Address, Crowd>()
  readonly #holders = new Map<Address, StrangerPool>()
  readonly #active: StrangerPool
  readonly #new: Address[] = []
  readonly #makeWallet: () => Promise<Address>
  #preparing: Promise<void> | undefined

  constructor({
    clock,
    random,
    makeWallet = newWallet,
  }: {
    readonly clock: Pick<Clock, 'nowMs'>
    readonly random: Random
    readonly makeWallet?: () => Promise<Address>
  }) {
    this.#clock = clock
    this.#random = random
    this.#makeWallet = makeWallet
    this.#active = new StrangerPool(random)
  }

  /** Adds wallets that the chain shows: holders of an asset, and active wallets. */
  learn(
    mint: Address,
    seen: { readonly holders: readonly Address[]; readonly active: readonly Address[] },
  ): void {
    this.#holdersOf(mint).add(seen.holders)
    this.#active.add(seen.active)
  }

  /** Makes wallets in advance, once for all callers that wait for them. */
  prepare(): Promise<void> {
    this.#preparing ??= this.#makeMissing().finally(() => (this.#preparing = undefined))
    return this.#preparing
  }

  async #makeMissing(): Promise<void> {
    const missing = { length: NEW_WALLETS_MAX - this.#new.length }
    this.#new.push(...(await Promise.all(Array.from(missing, this.#makeWallet))))
  }

  /** The recipient's crowd with the recipient's place in it. `isRefused` excludes decoys of a new crowd. */
  async of(
    mint: Address,
    recipient: Address,
    isRefused: (wallet: Address) => boolean,
  ): Promise<Pick<Crowd, 'wallets' | 'place'>> {
    while (this.#kept(recipient) === undefined && this.#new.length < DECOYS_OF_KIND) {
      await this.prepare()
    }
    const kept = this.#kept(recipient)
    if (kept !== undefined) return kept
    this.#crowds.delete(recipient)
    makeRoom(this.#crowds, CROWDS_MAX)
    const decoys = this.#draw(mint, (wallet) => wallet === recipient || isRefused(wallet))
    const place = this.#random.below(decoys.length + 1)
    const crowd = {
      wallets: decoys.toSpliced(place, 0, recipient),
      place,
      madeAtMs: this.#clock.nowMs(),
    }
    this.#crowds.set(recipient, crowd)
    return crowd
  }

  #kept(recipient: Address): Crowd | undefined {
    const kept = this.#crowds.get(recipient)
    const isYoung = kept !== undefined && Math.abs(this.#clock.nowMs() - kept.madeAtMs) < KEPT_MS
    return isYoung ? kept : undefined
  }

  #draw(mint: Address, isRefused: (wallet: Address) => boolean): Address[] {
    const drawn = new Set<Address>()
    const isOut = (wallet: Address) => drawn.has(wallet) || isRefused(wallet)
    // Every wallet can hold the native coin.
    const holders = mint === NATIVE_MINT ? this.#active : this.#holdersOf(mint)
    for (const pool of [holders, this.#active]) {
      for (const wallet of pool.take(DECOYS_OF_KIND, isOut)) drawn.add(wallet)
    }
    for (const wallet of this.#new.splice(0, DECOYS_OF_KIND)) drawn.add(wallet)
    return this.#shuffled([...drawn])
  }

  #shuffled(wallets: readonly Address[]): Address[] {
    const left = [...wallets]
    return wallets.flatMap(() => left.splice(this.#random.below(left.length), 1))
  }

  #holdersOf(mint: Address): StrangerPool {
    const known = this.#holders.get(mint)
    if (known !== undefined) return known
    const pool = new StrangerPool(this.#random)
    this.#holders.set(mint, pool)
    return pool
  }
}

const PUBLIC_KEY_BYTES = 32

/** The address of a key that is drawn now and thrown away: it looks like any wallet that has never been paid. */
async function newWallet(): Promise<Address> {
  const { publicKey } = await promisify(generateKeyPair)('ed25519')
  const der = publicKey.export({ format: 'der', type: 'spki' })
  return getBase58Decoder().decode(der.subarray(-PUBLIC_KEY_BYTES)) as Address
}
