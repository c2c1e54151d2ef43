import { timingSafeEqual } from 'node:crypto'
import type { AccountStore, ApiKeyRecord } from '../../ports/account-store.ts'
import type { Clock } from '../../ports/clock.ts'
import { isImmediate } from '../../running/is-immediate.ts'
import { makeRoom, SharedAnswer } from '../../running/shared-answer.ts'

/**
 * Maximum age of a cached key record, in milliseconds. A revocation must take effect within a second on every replica.
 */
const KEPT_MS = 1_000
/** Maximum number of cached keys, which limits the use of memory. One process serves far fewer keys in a second. */
const KEYS_MAX = 10_000

interface KnownKey {
  readonly answer: SharedAnswer<ApiKeyRecord | undefined>
  /** The complete text of the key, from the request whose secret was verified. */
  readonly proven: Buffer
  /** True if the last background read failed. The key is then not read in the background again. */
  hasFailed: boolean
}

type Accounts = Pick<AccountStore, 'findApiKey'>

const isSameSecret = (one: ApiKeyRecord, other: ApiKeyRecord): boolean =>
  one.mode === other.mode && Buffer.compare(one.secretHmac, other.secretHmac) === 0

/**
 * A cache of API keys that were read from the database less than a second ago. A key is added only after a request with
 * the correct secret. The cache answers a later request only if that request contains exactly the same text, compared
 * in constant time. For any other text, the caller reads the database, so a wrong text takes as long as an unknown key.
 * A key in use is read again in the background.
 */
export class KnownKeys {
  readonly #accounts: Accounts
  readonly #clock: Clock
  readonly #keys = new Map<string, KnownKey>()
  /** The time of the last request. */
  #lastMs = 0

  constructor(accounts: Accounts, clock: Clock) {
    this.#accounts = accounts
    this.#clock = clock
  }

  /**
   * Returns the cached record of a key, or undefined if the record is too old or `text` isn't the verified text. If the
   * clock was set back, the age of every record is unknown, so the whole cache is cleared.
   */
  find(keyId: string, text: string): ApiKeyRecord | undefined {
    const nowMs = this.#clock.nowMs()
    if (nowMs < this.#lastMs) this.#keys.clear()
    this.#lastMs = nowMs
    const known = this.#keys.get(keyId)
    if (known === undefined) return undefined
    if (!known.answer.isYoung(KEPT_MS)) {
      this.#keys.delete(keyId)
      return undefined
    }
    const sent = Buffer.from(text)
    const isProven = sent.length === known.proven.length && timingSafeEqual(sent, known.proven)
    if (!isProven) return undefined
    // A failed background read isn't reported here. The next request that needs the database will report the failure.
    const record = known.answer.read(KEPT_MS, known.hasFailed ? KEPT_MS : KEPT_MS / 2)
    return isImmediate(record) ? record : undefined
  }

  /** Caches a record. The record's age counts from the start of the database read. */
  keep(record: ApiKeyRecord, text: string, askedAtMs: number): void {
    const { keyId } = record
    const ask = async () => {
      try {
        const found = await this.#accounts.findApiKey(keyId)
        const isSame = found !== undefined && isSameSecret(found, record)
        if (!isSame && this.#keys.get(keyId) === known) this.#keys.delete(keyId)
        return found
      } catch (error) {
        known.hasFailed = true
        throw error
      }
    }
    const answer = new SharedAnswer(ask, this.#clock, { value: record, askedAtMs })
    const known: KnownKey = { answer, proven: Buffer.from(text), hasFailed: false }
    if (!this.#keys.has(keyId)) makeRoom(this.#keys, KEYS_MAX)
    this.#keys.set(keyId, known)
  }
}
