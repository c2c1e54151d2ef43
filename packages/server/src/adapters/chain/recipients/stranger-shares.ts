import type { Address } from '@sotto/protocol'
import type { Clock } from '../../../ports/clock.ts'
import type { Random } from '../../../ports/random.ts'
import { makeRoom } from '../../../running/shared-answer.ts'
import { Strangers, type SeenWallets } from './strangers.ts'

/** Maximum number of kept wallets of each kind. They take some tens of kilobytes. */
const KEPT_MAX = 1_000
/** This number of unused wallets of each kind is reserved for askers that haven't used up their share. */
const RESERVED = 250
/**
 * Number of recipients per hour for which an asker always gets unused strangers. Each recipient uses eight strangers of
 * each kind. The number is low for two reasons. One asker must use strangers more slowly than the chain shows new
 * strangers, even if the service reads few transactions of each token. And two askers that use their shares at once
 * must not use up the reserve.
 */
const SHARE_OF_HOUR = 12
const HOUR_MS = 3_600_000
/** Number of wallets of each kind that an asker can reuse: the decoys of the asker's last ten recipients. */
const OWN_MAX = 80
/** Maximum number of askers in memory. Together they take some tens of megabytes. */
const ASKERS_MAX = 1_000

interface Asker {
  readonly own: Strangers
  sinceMs: number
  recipients: number
}

/**
 * Divides strangers among askers, which are the accounts that request quotes. So one asker can't use up the decoys of
 * all others. An asker that has used up its share gets unused strangers only while the shared pool has many. Otherwise,
 * it gets strangers that it has used before.
 */
export class StrangerShares {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #random: Random
  readonly #shared: Strangers
  readonly #askers = new Map<string, Asker>()

  constructor(clock: Pick<Clock, 'nowMs'>, random: Random) {
    this.#clock = clock
    this.#random = random
    this.#shared = new Strangers(random, KEPT_MAX)
  }

  add(mint: Address, seen: SeenWallets): void {
    this.#shared.add(mint, seen)
  }

  /**
   * Takes at most `count` wallets of each kind that a recipient of this asset needs. `name` is the asker; undefined for
   * a delivery. Deliveries have an unlimited share.
   */
  take(
    mint: Address,
    count: number,
    isRefused: (wallet: Address) => boolean,
    name: string | undefined,
  ): Address[] {
    const asker = name === undefined ? undefined : this.#askerOf(name)
    const isWithin = asker === undefined || this.#count(asker)
    const taken = new Set<Address>()
    const isOut = (wallet: Address) => taken.has(wallet) || isRefused(wallet)
    for (const kind of this.#shared.kindsFor(mint)) {
      const isShared = isWithin || this.#shared.of(kind).freshCount >= RESERVED
      const wallets = (isShared ? this.#shared : asker.own).take(kind, count, isOut)
      asker?.own.of(kind).add(wallets)
      for (const wallet of wallets) taken.add(wallet)
    }
    return [...taken]
  }

  /** Counts a recipient of the asker. Returns true if the asker's share of this hour covers this recipient. */
  #count(asker: Asker): boolean {
    const ageMs = this.#clock.nowMs() - asker.sinceMs
    if (ageMs < 0 || ageMs >= HOUR_MS) {
      asker.sinceMs = this.#clock.nowMs()
      asker.recipients = 0
    }
    asker.recipients += 1
    return asker.recipients <= SHARE_OF_HOUR
  }

  #askerOf(name: string): Asker {
    const known = this.#askers.get(name)
    if (known !== undefined) return known
    makeRoom(this.#askers, ASKERS_MAX)
    const own = new Strangers(this.#random, OWN_MAX)
    const asker = { own, sinceMs: this.#clock.nowMs(), recipients: 0 }
    this.#askers.set(name, asker)
    return asker
  }
}
