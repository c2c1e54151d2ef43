import { timingSafeEqual } from 'node:crypto'
import type { AccountStore, ApiKeyRecord } from '../../ports/account-store.ts'

/**
 * A revocation must be effective within a second on every replica: what was read that long ago may
 * have been revoked since.
 */
const KEPT_MS = 1_000
/** Bounds memory; far more keys than one process serves in a second. */
const KEYS_MAX = 10_000

interface KnownKey {
  readonly record: ApiKeyRecord
  /** The key's whole text, as the request sent it that proved its secret. */
  readonly proven: Buffer
  readonly askedAtMs: number
  /** True from when the database was asked for it again. */
  isAskedAgain: boolean
}

type Accounts = Pick<AccountStore, 'findApiKey'>

const isSameSecret = (one: ApiKeyRecord, other: ApiKeyRecord): boolean =>
  one.mode === other.mode && Buffer.compare(one.secretHmac, other.secretHmac) === 0

/**
 * API keys as the database had them less than a second ago. Only a request that proved its secret puts
 * one here, and only the same text is let in by it, compared in constant time: guesses are looked up
 * like unknown keys and take as long. A key in use is asked for again when half of its second is over: all
 * requests of a busy key would ask at once when it is.
 */
export class KnownKeys {
  readonly #keys = new Map<string, KnownKey>()
  /** When the last request came. */
  #lastMs = 0

  /** The record, unless it is too old. Once the clock was set back, nobody knows how old anything is. */
  find(keyId: string, text: string, nowMs: number, accounts: Accounts): ApiKeyRecord | undefined {
    if (nowMs < this.#lastMs) this.#keys.clear()
    this.#lastMs = nowMs
    const known = this.#keys.get(keyId)
    if (known === undefined) return undefined
    const ageMs = nowMs - known.askedAtMs
    if (ageMs < 0 || ageMs >= KEPT_MS) {
      this.#keys.delete(keyId)
      return undefined
    }
    const sent = Buffer.from(text)
    const isProven = sent.length === known.proven.length && timingSafeEqual(sent, known.proven)
    if (!isProven) return undefined
    if (ageMs >= KEPT_MS / 2 && !known.isAskedAgain) this.#askAgain(known, nowMs, accounts)
    return known.record
  }

  /** In the background. A database that fails is asked once: the next request that it fails will say so. */
  #askAgain(known: KnownKey, askedAtMs: number, accounts: Accounts): void {
    const { keyId } = known.record
    known.isAskedAgain = true
    accounts.findApiKey(keyId).then(
      (record) => {
        // Somebody else has asked since.
        if (this.#keys.get(keyId) !== known) return
        if (record === undefined || !isSameSecret(record, known.record)) this.#keys.delete(keyId)
        else this.#keys.set(keyId, { ...known, record, askedAtMs, isAskedAgain: false })
      },
      () => undefined,
    )
  }

  /** Keeps what the database was asked for at a time, which is before it answered. */
  keep(record: ApiKeyRecord, text: string, askedAtMs: number): void {
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear()
    const proven = Buffer.from(text)
    this.#keys.set(record.keyId, { record, proven, askedAtMs, isAskedAgain: false })
  }
}
