import { timingSafeEqual } from 'node:crypto'
import type { Clock } from '../ports/clock.ts'
import { parseApiKey } from '../usecases/access/api-key.ts'
import { RateLimit, type RateLimitOptions, type RateVerdict } from '../running/rate-limit.ts'
import { NetworkLimit } from './network-limit.ts'

/**
 * Rate limit for checks of well-formed keys from an address with too many failures. The limit is high enough to admit
 * the first requests of other partners at the same address, but so low that a flood causes few database reads.
 */
const TRIES: RateLimitOptions = { perSecond: 10, burst: 60 }
/** Maximum number of stored headers, which limits memory. One process serves far fewer keys. */
const PROVEN_MAX = 10_000

/**
 * Counts failed authentications by address and by claimed key id. After too many failures, an address's requests are
 * refused without a check of their keys. Many partners may share one address, so two kinds of keys are still checked:
 * keys that were accepted before, and a limited number of other well-formed keys.
 */
export class FailedKeys {
  readonly #addresses: NetworkLimit
  readonly #claims: RateLimit
  readonly #tries: NetworkLimit
  /** Headers that were accepted, by key id. The whole header is compared, because key ids aren't secret. */
  readonly #proven = new Map<string, string>()

  constructor(clock: Clock, limit: RateLimitOptions) {
    this.#addresses = new NetworkLimit(clock, limit)
    this.#claims = new RateLimit('address', clock, limit)
    this.#tries = new NetworkLimit(clock, TRIES)
  }

  /** Returns the refusal of a request whose key must not be checked, or undefined if the key may be checked. */
  refusalOf(address: string, header: string | undefined): RateVerdict | undefined {
    if (!this.#addresses.isSpent(address)) return undefined
    const keyId = claimedId(header)
    if (keyId === undefined) return this.#addresses.take(address)
    if (isSame(this.#proven.get(keyId), header)) return undefined
    if (this.#claims.isSpent(keyId)) return this.#claims.take(keyId)
    const verdict = this.#tries.take(address)
    return verdict.isAllowed ? undefined : verdict
  }

  /** Records that the key in a header is invalid or revoked. */
  failed(address: string, header: string | undefined): void {
    this.#addresses.take(address)
    const keyId = claimedId(header)
    if (keyId === undefined) return
    this.#claims.take(keyId)
    if (isSame(this.#proven.get(keyId), header)) this.#proven.delete(keyId)
  }

  /** Records that the key in a header was accepted. */
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
