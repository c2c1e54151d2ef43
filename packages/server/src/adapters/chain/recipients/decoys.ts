import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { addressFromBytes, type Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { KeptDecoys, type HiddenRecipient } from './kept-decoys.ts'
import { StrangerShares } from './stranger-shares.ts'
import type { SeenWallets } from './strangers.ts'

/**
 * Number of decoys of each kind. There are three kinds: wallets that hold a token of the pool, active wallets, and new
 * wallets. A node's answer shows which accounts exist, and so the kind of each wallet. The node can rule out each decoy
 * whose kind isn't the recipient's. Therefore, the recipient needs enough decoys of its own kind.
 */
export const DECOYS_OF_KIND = 8
/** A recipient keeps its decoys for one day, because a transfer takes less than a day. */
const KEPT_MS = 86_400_000
/** Number of new wallets that are made in advance. Making one wallet takes about forty microseconds. */
const NEW_WALLETS_MAX = 256
/** Maximum number of recipients whose decoys are kept. Together they take about ten megabytes of memory. */
const HIDDEN_MAX = 4_096

/**
 * Hides each recipient among decoys. A recipient keeps its decoys for a day, for every asset. If each request named new
 * decoys, the recipient would be the only wallet that all requests name. The first request already names holders of the
 * other tokens too. Otherwise, the recipient could be the only wallet in a later request that holds the requested
 * token.
 */
export class Decoys {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #random: Random
  readonly #hidden = new KeptDecoys(HIDDEN_MAX)
  readonly #strangers: StrangerShares
  readonly #new: Address[] = []
  readonly #makeWallet: () => Promise<Address>
  #making: Promise<void> | undefined

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
    this.#strangers = new StrangerShares(clock, random)
  }

  /** Adds wallets that the chain shows: wallets that hold the asset, and active wallets. */
  learn(mint: Address, seen: SeenWallets): void {
    this.#strangers.add(mint, seen)
  }

  /**
   * Makes the missing new wallets, and drops decoys that are too old to be used. The time at which decoys were made
   * shows when their recipient was first read, so this time shouldn't stay in memory.
   */
  prepare(): Promise<void> {
    this.#hidden.dropOlder(this.#clock.nowMs() - KEPT_MS)
    return this.#makeWallets()
  }

  /** Makes the missing new wallets. Concurrent callers share one run. */
  #makeWallets(): Promise<void> {
    this.#making ??= this.#makeMissing().finally(() => (this.#making = undefined))
    return this.#making
  }

  async #makeMissing(): Promise<void> {
    const missing = { length: NEW_WALLETS_MAX - this.#new.length }
    this.#new.push(...(await Promise.all(Array.from(missing, this.#makeWallet))))
  }

  /**
   * Returns the recipient among its decoys. A wallet for which `isRefused` is true never becomes a new decoy. `asker`
   * is the account that requests a quote; undefined for a delivery.
   */
  async of(
    mint: Address,
    recipient: Address,
    isRefused: (wallet: Address) => boolean,
    asker?: string,
  ): Promise<Pick<HiddenRecipient, 'wallets' | 'place'>> {
    while (this.#kept(recipient) === undefined && this.#new.length < DECOYS_OF_KIND) {
      await this.#makeWallets()
    }
    const kept = this.#kept(recipient)
    if (kept !== undefined) {
      if (asker === undefined && kept.asker !== undefined) {
        this.#hidden.set(recipient, { ...kept, asker })
      }
      return kept
    }
    const isOut = (wallet: Address) => wallet === recipient || isRefused(wallet)
    const decoys = this.#draw(mint, isOut, asker)
    const place = this.#random.below(decoys.length + 1)
    const hidden = {
      wallets: decoys.toSpliced(place, 0, recipient),
      place,
      madeAtMs: this.#clock.nowMs(),
      asker,
    }
    this.#hidden.set(recipient, hidden)
    return hidden
  }

  #kept(recipient: Address): HiddenRecipient | undefined {
    const kept = this.#hidden.get(recipient)
    const isYoung = kept !== undefined && Math.abs(this.#clock.nowMs() - kept.madeAtMs) < KEPT_MS
    return isYoung ? kept : undefined
  }

  #draw(
    mint: Address,
    isRefused: (wallet: Address) => boolean,
    asker: string | undefined,
  ): Address[] {
    const strangers = this.#strangers.take(mint, DECOYS_OF_KIND, isRefused, asker)
    const fresh = this.#new.splice(0, DECOYS_OF_KIND)
    return this.#shuffled([...strangers, ...fresh])
  }

  #shuffled(wallets: readonly Address[]): Address[] {
    const left = [...wallets]
    return wallets.flatMap(() => left.splice(this.#random.below(left.length), 1))
  }
}

const makeKeyPair = promisify(generateKeyPair)

/**
 * Returns the address of a new random key, and drops the key. A node can't distinguish this address from a wallet that
 * has never been paid.
 */
async function newWallet(): Promise<Address> {
  const { publicKey } = await makeKeyPair('ed25519')
  // An export as `der` would take twice as long as making the key, so the format is `jwk`.
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return addressFromBytes(Buffer.from(x, 'base64url'))
}
