import { timingSafeEqual } from 'node:crypto'
import type { ApiKeyRecord } from '../ports/account-store.ts'

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
}

/**
 * API keys as the database had them less than a second ago. Only a request that proved its secret puts
 * one here, and only the same text is let in by it, compared in constant time: guesses are looked up
 * like unknown keys and take as long.
 */
export class KnownKeys {
  readonly #keys = new Map<string, KnownKey>()

  /** The record, unless it is too old. A clock that was set back makes it too old. */
  find(keyId: string, text: string, nowMs: number): ApiKeyRecord | undefined {
    const known = this.#keys.get(keyId)
    if (known === undefined) return undefined
    const ageMs = nowMs - known.askedAtMs
    if (ageMs < 0 || ageMs >= KEPT_MS) {
      this.#keys.delete(keyId)
      return undefined
    }
    const sent = Buffer.from(text)
    const isProven = sent.length === known.proven.length && timingSafeEqual(sent, known.proven)
    return isProven ? known.record : undefined
  }

  /** Keeps what the database was asked for at a time, which is before it answered. */
  keep(record: ApiKeyRecord, text: string, askedAtMs: number): void {
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear()
    this.#keys.set(record.keyId, { record, proven: Buffer.from(text), askedAtMs })
  }
}
