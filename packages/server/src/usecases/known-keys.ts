import type { ApiKeyRecord } from '../ports/account-store.ts'

/**
 * A revocation must be effective within a second on every replica: what was read that long ago may
 * have been revoked since.
 */
const KEPT_MS = 1_000
/** Bounds memory; far more keys than one process serves in a second. */
const KEYS_MAX = 10_000

/**
 * API keys as the database had them less than a second ago. Only a request that proved its secret puts
 * one here, and only one that proves it again may be let in by it: guesses are looked up like unknown
 * keys and take as long.
 */
export class KnownKeys {
  readonly #keys = new Map<string, { readonly record: ApiKeyRecord; readonly askedAtMs: number }>()

  /** The record, unless it is too old. A clock that was set back makes it too old. */
  find(keyId: string, nowMs: number): ApiKeyRecord | undefined {
    const known = this.#keys.get(keyId)
    if (known === undefined) return undefined
    const ageMs = nowMs - known.askedAtMs
    return ageMs >= 0 && ageMs < KEPT_MS ? known.record : undefined
  }

  /** Keeps what the database was asked for at a time, which is before it answered. */
  keep(record: ApiKeyRecord, askedAtMs: number): void {
    if (this.#keys.size >= KEYS_MAX) this.#keys.clear()
    this.#keys.set(record.keyId, { record, askedAtMs })
  }
}
