import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import { parseApiKey } from '../usecases/access/api-key.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from './rate-limit.ts'

/**
 * Keys of the right form that an address may try although it failed too often: enough for partners who
 * come behind the same address for the first time, few enough that a flood costs the database little.
 */
const TRIES: RateLimitOptions = { perSecond: 10, burst: 60 }
/** Bounds memory; far more keys than one process serves. */
const PROVEN_MAX = 10_000

/**
 * Who failed to authenticate, by address and by the key id that was claimed. An address that failed
 * too often is refused unread, but for keys that many partners may hold behind one address: those that
 * were let in before, and now and then one of the right form that may be good.
 */
export class FailedKeys {
  readonly #addresses: RateLimit
  readonly #claims: RateLimit
  readonly #tries: RateLimit
  /** Headers that were let in, by key id. The whole text counts: ids are no secrets. */
  readonly #proven = new Map<string, string>()

  constructor(clock: Clock, limit: RateLimitOptions) {
    this.#addresses = new RateLimit('address', clock, limit)
    this.#claims = new RateLimit('address', clock, limit)
    this.#tries = new RateLimit('address', clock, TRIES)
  }

  /** The refusal of a request that isn't to be read; undefined where it may try its key. */
  refusalOf(address: string, header: string | undefined): RateVerdict | undefined {
    if (!this.#addresses.isSpent(address)) return undefined
    const keyId = claimedId(header)
    if (keyId === undefined) return this.#addresses.take(address)
    if (isSame(this.#proven.get(keyId), header)) return undefined
    if (this.#claims.isSpent(keyId)) return this.#claims.take(keyId)
    const verdict = this.#tries.take(address)
    return verdict.isAllowed ? undefined : verdict
  }

  /** Notes that a header was no key, or none any more. */
  failed(address: string, header: string | undefined): void {
    this.#addresses.take(address)
    const keyId = claimedId(header)
    if (keyId === undefined) return
    this.#claims.take(keyId)
    if (isSame(this.#proven.get(keyId), header)) this.#proven.delete(keyId)
  }

  /** Notes that a header was let in. */
  succeeded(keyId: string, header: string): void {
    if (this.#proven.get(keyId) === header) return
    if (this.#proven.size >= PROVEN_MAX) this.#proven.clear()
    this.#proven.set(keyId, header)
  }
}

const claimedId = (header: string | undefined): string | undefined =>
  parseApiKey(header?.split(' ').at(-1) ?? '')?.keyId

function isSame(proven: string | undefined, header: string | undefined): boolean {
  if (proven === undefined || header === undefined) return false
  const [left, right] = [Buffer.from(proven), Buffer.from(header)]
  return left.length === right.length && timingSafeEqual(left, right)
}
