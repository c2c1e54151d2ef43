import type { Clock } from '../ports/clock.ts'

export interface RateLimitOptions {
  /** Requests per second that a key may send on average. */
  readonly perSecond: number
  /** Requests that a key may send at once after a pause. */
  readonly burst: number
}

export interface RateVerdict {
  readonly isAllowed: boolean
  readonly headers: Readonly<Record<string, string>>
  /** Whole seconds until the same request is allowed; 0 if this request is allowed. */
  readonly retryAfterSeconds: number
}

interface Bucket {
  tokens: number
  atMs: number
}

const KEYS_MAX = 10_000

/**
 * Token buckets by API key or address. They exist only in this process, so several replicas together allow the sum of
 * their limits.
 */
export class RateLimit {
  readonly #name: string
  readonly #clock: Clock
  readonly #options: RateLimitOptions
  readonly #buckets = new Map<string, Bucket>()
  readonly #policy: string

  /** `name` identifies this limit in the rate limit headers. */
  constructor(name: string, clock: Clock, options: RateLimitOptions) {
    this.#name = name
    this.#clock = clock
    this.#options = options
    const { burst, perSecond } = options
    this.#policy = `"${name}";q=${burst};w=${Math.ceil(burst / perSecond)}`
  }

  /** True if the key has a bucket: it has sent requests since the buckets were last dropped. */
  knows(key: string): boolean {
    return this.#buckets.has(key)
  }

  /** True if the key's bucket is empty. Takes nothing from the bucket. */
  isSpent(key: string): boolean {
    return this.knows(key) && this.#bucket(key).tokens < 1
  }

  /** Takes one request, or `count` units, from a key's bucket. If the bucket has less, nothing is taken. */
  take(key: string, count = 1): RateVerdict {
    const { burst, perSecond } = this.#options
    const bucket = this.#bucket(key)
    const isAllowed = bucket.tokens >= count
    if (isAllowed) bucket.tokens -= count
    const retryAfterSeconds = isAllowed ? 0 : Math.ceil((count - bucket.tokens) / perSecond)
    const fullSeconds = Math.ceil((burst - bucket.tokens) / perSecond)
    return {
      isAllowed,
      retryAfterSeconds,
      headers: {
        'ratelimit-policy': this.#policy,
        ratelimit: `"${this.#name}";r=${Math.floor(bucket.tokens)};t=${fullSeconds}`,
      },
    }
  }

  /** Puts back what an allowed `take` took. A bucket never holds more than its burst. */
  giveBack(key: string, count = 1): void {
    const bucket = this.#bucket(key)
    bucket.tokens = Math.min(this.#options.burst, bucket.tokens + count)
  }

  #bucket(key: string): Bucket {
    const { burst, perSecond } = this.#options
    const nowMs = this.#clock.nowMs()
    const known = this.#buckets.get(key)
    if (known !== undefined) {
      const seconds = Math.max(0, nowMs - known.atMs) / 1_000
      known.tokens = Math.min(burst, known.tokens + seconds * perSecond)
      known.atMs = nowMs
      return known
    }
    // All buckets are dropped to limit memory, so every key has its full burst again. A service never has `KEYS_MAX`
    // authenticated keys, and buckets can't stop a flood from so many addresses anyway.
    if (this.#buckets.size >= KEYS_MAX) this.#buckets.clear()
    const bucket = { tokens: burst, atMs: nowMs }
    this.#buckets.set(key, bucket)
    return bucket
  }
}
