/** The clock that the pace uses: the time, and a way to wait. */
export interface PaceClock {
  /** Milliseconds of a clock that is never set back. */
  readonly nowMs: () => number
  /** Resolves after `ms`, or immediately when the signal aborts. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

/** A node's refusal because of too many requests. */
export interface RateLimit {
  /** The wait that the node demands; undefined if it names none. */
  readonly retryAfterMs?: number
}

/**
 * The interval between requests after the first refusal, for all methods together and for one method. Public nodes
 * allow 100 requests in ten seconds, and 40 of one method. These intervals are a little slower.
 */
const NODE_INTERVAL_MS = 110
const METHOD_INTERVAL_MS = 275
const INTERVAL_MAX_MS = 5_000
/** The wait after a first refusal without Retry-After. Each further refusal doubles the wait. */
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 16_000
/**
 * Maximum wait. If a node demands a longer wait, the next request is still sent after this time, because the header may
 * be wrong.
 */
const RETRY_AFTER_MAX_MS = 120_000
/** After this long without a refusal, requests are sent twice as fast. */
const CALM_MS = 60_000
/**
 * The same as `CALM_MS`, for a pace that is slower than public nodes require. This time is shorter than `CALM_MS`,
 * because some refusals don't depend on the pace. For example, if one of a balancer's nodes is faulty, a few percent of
 * all requests are refused at any pace.
 */
const SLOW_CALM_MS = 3_000
/**
 * Maximum number of waits before a request is sent in any case. A request waits again if other requests were sent in
 * the meantime.
 */
const TURNS_MAX = 100

/** The pace of all requests, or of one method's requests: their interval, and the earliest time of the next request. */
interface Lane {
  intervalMs: number
  nextMs: number
}

/**
 * The rate at which requests may be sent to one node: one rate for all requests, and one for each method. There is no
 * limit at first. After the first refusal, requests keep the pace that public nodes allow. Each further refusal makes
 * the pace slower, and each period without refusals makes it faster again.
 */
export class RequestPace {
  readonly #clock: PaceClock
  readonly #all: Lane = { intervalMs: 0, nextMs: 0 }
  readonly #methods = new Map<string, Lane>()
  #blockedUntilMs = 0
  #limitedAtMs = -Infinity
  #calmFromMs = 0
  #refusals = 0

  constructor(clock: PaceClock) {
    this.#clock = clock
  }

  /** The time of the last refusal, in milliseconds of the pace's clock; -Infinity if there was none. */
  get limitedAtMs(): number {
    return this.#limitedAtMs
  }

  /** Milliseconds until a request with this method may be sent; 0 if the node has refused no request recently. */
  waitMs(method: string): number {
    const nowMs = this.#clock.nowMs()
    this.#recover(nowMs)
    const nextMs = Math.max(this.#all.nextMs, this.#methods.get(method)?.nextMs ?? 0)
    return Math.max(0, nextMs - nowMs, this.#blockedUntilMs - nowMs)
  }

  /**
   * Waits until a request with this method may be sent, and counts the request as sent. Returns the time of sending.
   */
  async turn(method: string, signal?: AbortSignal): Promise<number> {
    for (let turns = 0; turns < TURNS_MAX; turns += 1) {
      const waitMs = this.waitMs(method)
      if (waitMs === 0 || signal?.aborted === true) break
      await this.#clock.sleep(waitMs, signal)
    }
    const nowMs = this.#clock.nowMs()
    for (const lane of [this.#all, this.#methods.get(method)]) {
      if (lane !== undefined) lane.nextMs = nowMs + lane.intervalMs
    }
    return nowMs
  }

  /** Records that the node accepted a request. */
  answered(): void {
    this.#refusals = 0
  }

  /**
   * Records that the node refused a request that was sent at this time. If the node refuses several requests that were
   * in flight together, the pace becomes slower only once.
   */
  limited(method: string, sentAtMs: number, { retryAfterMs }: RateLimit): void {
    const nowMs = this.#clock.nowMs()
    const isNews = sentAtMs >= this.#limitedAtMs
    if (isNews) {
      slowDown(this.#all, NODE_INTERVAL_MS)
      const lane = this.#methods.get(method) ?? { intervalMs: 0, nextMs: 0 }
      slowDown(lane, METHOD_INTERVAL_MS)
      this.#methods.set(method, lane)
      this.#limitedAtMs = nowMs
      this.#calmFromMs = nowMs
      this.#refusals += 1
    }
    const pauseMs = Math.min(PAUSE_MS * 2 ** (this.#refusals - 1), PAUSE_MAX_MS)
    const waitMs = Math.min(retryAfterMs ?? (isNews ? pauseMs : 0), RETRY_AFTER_MAX_MS)
    this.#blockedUntilMs = Math.max(this.#blockedUntilMs, nowMs + waitMs)
  }

  #recover(nowMs: number): void {
    for (;;) {
      const { intervalMs } = this.#all
      const calmMs = intervalMs > NODE_INTERVAL_MS ? SLOW_CALM_MS : CALM_MS
      if (intervalMs === 0 || nowMs - this.#calmFromMs < calmMs) return
      this.#calmFromMs += calmMs
      speedUp(this.#all, NODE_INTERVAL_MS)
      for (const [method, lane] of this.#methods) {
        speedUp(lane, METHOD_INTERVAL_MS)
        if (lane.intervalMs === 0) this.#methods.delete(method)
      }
    }
  }
}

function slowDown(lane: Lane, leastMs: number): void {
  lane.intervalMs = Math.min(Math.max(leastMs, 2 * lane.intervalMs), INTERVAL_MAX_MS)
}

/**
 * Halves a lane's interval. An interval above `firstMs`, the pace that public nodes allow, is halved at most down to
 * `firstMs`. An interval below a quarter of `firstMs` becomes 0, which removes the limit.
 */
function speedUp(lane: Lane, firstMs: number): void {
  const isSlow = lane.intervalMs > firstMs
  const faster = isSlow ? Math.max(firstMs, lane.intervalMs / 2) : lane.intervalMs / 2
  lane.intervalMs = faster < firstMs / 4 ? 0 : faster
  if (lane.intervalMs === 0) lane.nextMs = 0
}
