import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import { parseApiKey } from '../usecases/access/api-key.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from './rate-limit.ts'

/**
 * Well-formed keys that an address may try although it failed too often. The limit admits the first requests of other
 * partners at the same address, and is small enough that a flood costs the database little.
 */
const TRIES: RateLimitOptions = { perSecond: 10, burst: 60 }
/** Bounds memory: far more keys than one process serves. */
const PROVEN_MAX = 10_000

/**
 * Counts failed authentications by address and by claimed key id. If an address failed too often, its requests are
 * refused without reading their keys. Many partners may share one address, so there are exceptions: keys that were
 * accepted before, and a limited number of well-formed keys that may be valid.
 */
export class FailedKeys {
  readonly #addresses: RateLimit
  readonly #claims: RateLimit
  readonly #tries: RateLimit
  /** Headers that were accepted, by key id. The whole header is compared, because ids aren't secret. */
  readonly #proven = new Map<string, string>()

  constructor(clock: Clock, limit: RateLimitOptions) {
    this.#addresses = new RateLimit('address', clock, limit)
    this.#claims = new RateLimit('address', clock, limit)
    this.#tries = new RateLimit('address', clock, TRIES)
  }

  /** The refusal of a request whose key may not be checked; undefined if the key may be tried. */
  refusalOf(address: string, header: string | undefined): RateVerdict | undefined {
    if (!this.#addresses.isSpent(address)) return undefined
    const keyId = claimedId(header)
    if (keyId === undefined) return this.#addresses.take(address)
    if (isSame(this.#proven.get(keyId), header)) return undefined
    if (this.#claims.isSpent(keyId)) return this.#claims.take(keyId)
    const verdict = this.#tries.take(address)
    return verdict.isAllowed ? undefined : verdict
  }

  /** Records that a header is invalid or revoked. */
  failed(address: string, header: string | undefined): void {
    this.#addresses.take(address)
    const keyId = claimedId(header)
    if (keyId === undefined) return
    this.#claims.take(keyId)
    if (isSame(this.#proven.get(keyId), header)) this.#proven.delete(keyId)
  }

  /** Records that a header was accepted. */
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
