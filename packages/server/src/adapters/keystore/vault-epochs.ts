import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { EpochSecrets } from '../../ports/secrets.ts'
import type { KvStore } from '../vault/kv-store.ts'
import { keepEpoch, type KeptEpoch } from './epoch-secrets.ts'

/**
 * If a key was last seen in Vault longer ago than this time, it is checked again, because another process may have
 * destroyed it. Keys are kept for a day after their orders end, so this time is short enough. It is also long enough
 * that few requests query Vault.
 */
const FRESH_MS = 30_000
/** If Vault doesn't answer, a key stays usable for this time after it was last seen. So orders can still be paid. */
const KEPT_MS = 600_000
const KEY_BYTES = 32

const nameOf = (epoch: number) => `epochs/${epoch}`

interface Seen {
  readonly kept: KeptEpoch
  readonly atMs: number
}

/** Reads the epochs' keys from Vault, and keeps a copy of each key that this process has seen recently. */
export class VaultEpochs {
  readonly #store: KvStore
  readonly #random: Random
  readonly #clock: Clock
  readonly #known = new Map<number, Seen>()
  readonly #asked = new Map<number, Promise<EpochSecrets | undefined>>()
  /** True if the last check failed. Then `read` doesn't wait for Vault if the key is still usable. */
  #isDown = false

  constructor(store: KvStore, random: Random, clock: Clock) {
    this.#store = store
    this.#random = random
    this.#clock = clock
  }

  /** Reads the epoch's secrets; undefined if they are destroyed. */
  async read(epoch: number): Promise<EpochSecrets | undefined> {
    const seen = this.#known.get(epoch)
    const ageMs = this.#ageMs(seen?.atMs ?? -Infinity)
    if (seen !== undefined && ageMs < FRESH_MS) return seen.kept.secrets
    let running = this.#asked.get(epoch)
    if (running === undefined) {
      running = this.#look(epoch).finally(() => this.#asked.delete(epoch))
      this.#asked.set(epoch, running)
    }
    if (seen === undefined || !this.#isDown || ageMs > KEPT_MS) return running
    running.catch(() => undefined)
    return seen.kept.secrets
  }

  /** Reads the epoch's secrets, or creates them. New secrets are durably stored before they are returned. */
  async readOrMake(epoch: number): Promise<EpochSecrets> {
    this.#forgetOld()
    const existing = await this.read(epoch)
    if (existing !== undefined) return existing
    const fresh = this.#random.bytes(KEY_BYTES)
    const key = await this.#store.make(nameOf(epoch), fresh).finally(() => fresh.fill(0))
    return this.#keep(epoch, key)
  }

  async destroy(epoch: number): Promise<void> {
    this.#forget(epoch)
    await this.#store.destroy(nameOf(epoch))
    // A check that started before the deletion may have cached the key again.
    this.#forget(epoch)
  }

  /**
   * Zeroes the keys that Vault no longer lists. A listed key counts as seen now, so it needn't be read again.
   *
   * @param list returns the epochs whose keys exist.
   */
  async forgetDestroyed(list: () => Promise<readonly number[]>): Promise<void> {
    if (this.#known.size === 0) return
    const atMs = this.#clock.nowMs()
    const before = new Map(this.#known)
    try {
      const living = new Set(await list())
      for (const [epoch, seen] of before) {
        if (this.#known.get(epoch) !== seen) continue
        if (living.has(epoch)) this.#known.set(epoch, { ...seen, atMs })
        else this.#forget(epoch)
      }
    } catch (error) {
      this.#forgetOld()
      throw error
    }
  }

  async #look(epoch: number): Promise<EpochSecrets | undefined> {
    try {
      const key = await this.#store.read(nameOf(epoch))
      this.#isDown = false
      if (key !== undefined) return this.#keep(epoch, key)
      this.#forget(epoch)
      return undefined
    } catch (error) {
      this.#isDown = true
      this.#forgetOld()
      const seen = this.#known.get(epoch)
      if (seen !== undefined) return seen.kept.secrets
      throw error
    }
  }

  #keep(epoch: number, key: Buffer): EpochSecrets {
    let kept = this.#known.get(epoch)?.kept
    if (kept === undefined) kept = keepEpoch(epoch, key, this.#random)
    else key.fill(0)
    this.#known.set(epoch, { kept, atMs: this.#clock.nowMs() })
    return kept.secrets
  }

  #forget(epoch: number): void {
    this.#known.get(epoch)?.kept.wipe()
    this.#known.delete(epoch)
  }

  #forgetOld(): void {
    for (const [epoch, { atMs }] of this.#known) {
      if (this.#ageMs(atMs) > KEPT_MS) this.#forget(epoch)
    }
  }

  /** The time since `atMs`. If the clock was set back, it is the time until `atMs`, so old keys don't seem fresh. */
  #ageMs(atMs: number): number {
    return Math.abs(this.#clock.nowMs() - atMs)
  }
}
