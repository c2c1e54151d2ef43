import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { addressFromBytes, type Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { KeptCrowds, type Crowd } from './kept-crowds.ts'
import { StrangerShares } from './stranger-shares.ts'
import type { SeenWallets } from './strangers.ts'

/**
 * Decoys of each kind: wallets that hold the asset, active wallets that may not hold it, and new ones. A node sees in
 * its own answer which accounts exist, so a recipient is hidden only among decoys whose accounts look like its own.
 */
export const DECOYS_OF_KIND = 8
/** Time for which a recipient keeps its decoys: longer than a user works on one transfer. */
const KEPT_MS = 86_400_000
/** Number of new wallets that are made in advance. Making one wallet takes some forty microseconds. */
const NEW_WALLETS_MAX = 256
/** Bounds memory to about ten megabytes. */
const CROWDS_MAX = 4_096

/**
 * Hides each recipient among decoys. A recipient keeps its decoys for a day, for every asset: with different decoys in
 * each request, the recipient would be the only wallet that all requests have in common.
 */
export class Crowds {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #random: Random
  readonly #crowds = new KeptCrowds(CROWDS_MAX)
  readonly #strangers: StrangerShares
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
    this.#strangers = new StrangerShares(clock, random)
  }

  /** Adds wallets that the chain shows: holders of an asset, and active wallets. */
  learn(mint: Address, seen: SeenWallets): void {
    this.#strangers.add(mint, seen)
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

  /**
   * The recipient's crowd with the recipient's place in it. If a new crowd is made, no wallet that `isRefused` refuses
   * becomes a decoy. The asker is undefined for a delivery.
   */
  async of(
    mint: Address,
    recipient: Address,
    isRefused: (wallet: Address) => boolean,
    asker?: string,
  ): Promise<Pick<Crowd, 'wallets' | 'place'>> {
    while (this.#kept(recipient) === undefined && this.#new.length < DECOYS_OF_KIND) {
      await this.prepare()
    }
    const kept = this.#kept(recipient)
    if (kept !== undefined) {
      if (asker === undefined && kept.asker !== undefined) {
        this.#crowds.set(recipient, { ...kept, asker })
      }
      return kept
    }
    const isOut = (wallet: Address) => wallet === recipient || isRefused(wallet)
    const decoys = this.#draw(mint, isOut, asker)
    const place = this.#random.below(decoys.length + 1)
    const crowd = {
      wallets: decoys.toSpliced(place, 0, recipient),
      place,
      madeAtMs: this.#clock.nowMs(),
      asker,
    }
    this.#crowds.set(recipient, crowd)
    return crowd
  }

  #kept(recipient: Address): Crowd | undefined {
    const kept = this.#crowds.get(recipient)
    const isYoung = kept !== undefined && Math.abs(this.#clock.nowMs() - kept.madeAtMs) < KEPT_MS
    return isYoung ? kept : undefined
  }

  #draw(
    mint: Address,
    isRefused: (wallet: Address) => boolean,
    asker: string | undefined,
  ): Address[] {
    const { holders, active } = this.#strangers.take(mint, DECOYS_OF_KIND, isRefused, asker)
    const fresh = this.#new.splice(0, DECOYS_OF_KIND)
    return this.#shuffled([...holders, ...active, ...fresh])
  }

  #shuffled(wallets: readonly Address[]): Address[] {
    const left = [...wallets]
    return wallets.flatMap(() => left.splice(this.#random.below(left.length), 1))
  }
}

const makeKeyPair = promisify(generateKeyPair)

/**
 * The address of a new random key, which is thrown away. The address looks like any wallet that has never been paid.
 */
async function newWallet(): Promise<Address> {
  const { publicKey } = await makeKeyPair('ed25519')
  // In the format `der`, the export takes twice as long as making the key.
  const { x = '' } = publicKey.export({ format: 'jwk' })
  return addressFromBytes(Buffer.from(x, 'base64url'))
}
