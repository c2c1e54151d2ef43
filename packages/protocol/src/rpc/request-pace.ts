/** Time and waiting, as hosts offer them. */
export interface PaceClock {
  /** Milliseconds since 1970. */
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
 * The first interval between requests. Public nodes allow 100 requests in ten seconds, and 40 of one method; this is a
 * little less than both.
 */
const NODE_INTERVAL_MS = 110
const METHOD_INTERVAL_MS = 275
const INTERVAL_MAX_MS = 5_000
/** The wait after a first refusal without Retry-After. It doubles with each further refusal. */
const PAUSE_MS = 1_000
const PAUSE_MAX_MS = 16_000
/**
 * Longest wait. If a node demands a longer one, it still gets the next request after this time, in case the header was
 * wrong.
 */
const RETRY_AFTER_MAX_MS = 120_000
/** After this long without a refusal, requests are sent twice as fast. */
const CALM_MS = 60_000
/**
 * The calm time for a pace that is slower than public nodes require. It is shorter because some refusals don't depend
 * on the pace: if one of the nodes behind a balancer is faulty, a few percent of all requests fail.
 */
const SLOW_CALM_MS = 3_000
/** Number of times that other requests may use a waiting request's turn. After that, it is sent in any case. */
const TURNS_MAX = 100

interface Lane {
  intervalMs: number
  nextMs: number
}

/**
 * The rate at which requests may be sent to one node, in all and for each method. There is no limit at first. After the
 * first refusal, requests keep the pace that public nodes allow. Each further refusal makes the pace slower, and a time
 * without refusals makes it gradually faster again.
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

  /** Milliseconds until a request with this method may be sent; 0 for a node that hasn't refused any recently. */
  waitMs(method: string): number {
    const nowMs = this.#clock.nowMs()
    this.#recover(nowMs)
    const nextMs = Math.max(this.#all.nextMs, this.#methods.get(method)?.nextMs ?? 0)
    return Math.max(0, nextMs - nowMs, this.#blockedUntilMs - nowMs)
  }

  /** Waits until a request may be sent, and counts it as sent. Returns the time of sending. */
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

  /** Records that a request wasn't refused. */
  answered(): void {
    this.#refusals = 0
  }

  /**
   * Records that a request sent at this time was refused. Refusals of requests that were on their way together slow the
   * pace down only once.
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
 * Speeds up a lane, at first to the pace that public nodes allow. Once its interval is below a quarter of the first
 * one, the lane has no limit any more.
 */
function speedUp(lane: Lane, firstMs: number): void {
  const isSlow = lane.intervalMs > firstMs
  const faster = isSlow ? Math.max(firstMs, lane.intervalMs / 2) : lane.intervalMs / 2
  lane.intervalMs = faster < firstMs / 4 ? 0 : faster
  if (lane.intervalMs === 0) lane.nextMs = 0
}
