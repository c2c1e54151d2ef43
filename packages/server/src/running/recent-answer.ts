import type { Clock } from '../ports/clock.ts'

export interface RecentAnswerLimits {
  /** The question is asked at most once in this time, in milliseconds, even if it fails. */
  readonly keptMs: number
  /** The longest time for which a caller waits, in milliseconds. */
  readonly waitMs: number
  /** The last answer is shown until it has this age, in milliseconds. */
  readonly shownMs: number
}

/**
 * The newest answer to a question, for callers that must not wait long. A scrape of the metrics, for example, fails as
 * a whole if one value arrives too late.
 *
 * - While an answer is late, and after a failure, callers get the last answer, or undefined if there is none.
 * - A caller waits only if the question was asked less than `waitMs` ago. Later callers get a late answer once it has
 *   arrived.
 * - An answer's age counts from the time when the question was asked. If the clock is set back, the age is unknown, and
 *   the answer is no longer shown.
 */
export class RecentAnswer<T> {
  readonly #ask: () => Promise<T>
  readonly #clock: Clock
  readonly #limits: RecentAnswerLimits
  #running: Promise<void> | undefined
  #askedAtMs = Number.NEGATIVE_INFINITY
  #last: { readonly value: T; readonly askedAtMs: number } | undefined

  constructor(ask: () => Promise<T>, clock: Clock, limits: RecentAnswerLimits) {
    this.#ask = ask
    this.#clock = clock
    this.#limits = limits
  }

  async read(): Promise<T | undefined> {
    const { keptMs, waitMs, shownMs } = this.#limits
    const nowMs = this.#clock.nowMs()
    const isKept = isWithin(nowMs - this.#askedAtMs, keptMs)
    if (this.#running === undefined && !isKept) this.#running = this.#run(nowMs)
    const running = this.#running
    const waitedMs = nowMs - this.#askedAtMs
    if (running !== undefined && isWithin(waitedMs, waitMs)) {
      await this.#waitFor(running, waitMs - waitedMs)
    }
    const last = this.#last
    if (last === undefined) return undefined
    return isWithin(this.#clock.nowMs() - last.askedAtMs, shownMs) ? last.value : undefined
  }

  async #run(askedAtMs: number): Promise<void> {
    this.#askedAtMs = askedAtMs
    try {
      this.#last = { value: await this.#ask(), askedAtMs }
    } catch {
      // The last answer is kept.
    } finally {
      this.#running = undefined
    }
  }

  async #waitFor(running: Promise<void>, ms: number): Promise<void> {
    const stopping = new AbortController()
    await Promise.race([running, this.#clock.sleep(ms, stopping.signal)])
    stopping.abort()
  }
}

const isWithin = (ageMs: number, limitMs: number): boolean => ageMs >= 0 && ageMs < limitMs
