import type { Clock } from '../ports/clock.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'

interface Asked<T> {
  /** A promise until the value has arrived, and then the value itself. */
  answer: MaybePromise<T>
  readonly askedAtMs: number
}

/**
 * One question and its newest answer. The answer is returned to every caller that accepts its age. This class is for
 * answers that many requests share:
 *
 * - An answer's age counts from the time when the question was asked. If the clock is set back, the age is unknown and
 *   the answer is no longer used.
 * - The question is never asked twice at the same time, even if many callers wait. If each caller asked, each expiry of
 *   an answer would cause so many requests that they would overload the server.
 * - Once an answer has half of the allowed age, the question is asked again in the background. The last answer is used
 *   in the meantime. If the next answer arrives before the last answer expires, no request on a busy service has to
 *   wait.
 * - A failure is reported to the callers that wait, and is not cached. If a question in the background fails, the last
 *   answer is used until it expires.
 */
export class SharedAnswer<T> {
  readonly #ask: () => Promise<T>
  readonly #clock: Pick<Clock, 'nowMs'>
  #newest: Asked<T> | undefined
  /** The question that is being asked in the background. */
  #next: Asked<T> | undefined

  constructor(
    ask: () => Promise<T>,
    clock: Pick<Clock, 'nowMs'>,
    newest?: { value: T; askedAtMs: number },
  ) {
    this.#ask = ask
    this.#clock = clock
    this.#newest = newest && { answer: newest.value, askedAtMs: newest.askedAtMs }
  }

  /**
   * Returns an answer whose question was asked less than `ageMaxMs` ago. If `ageMaxMs` is 0, the question is asked now.
   * Once the answer is `renewedFromMs` old, it is also renewed in the background. If `renewedFromMs` equals `ageMaxMs`,
   * nothing is renewed in the background.
   */
  read(ageMaxMs: number, renewedFromMs = ageMaxMs / 2): MaybePromise<T> {
    const nowMs = this.#clock.nowMs()
    if (isYoung(this.#newest, nowMs, ageMaxMs)) {
      this.#renew(nowMs, ageMaxMs, renewedFromMs)
      return this.#newest.answer
    }
    this.#newest = isYoung(this.#next, nowMs, ageMaxMs) ? this.#next : this.#askNow(nowMs)
    this.#next = undefined
    return this.#newest.answer
  }

  /** True if `read` would return the last answer without asking again. The last answer may still be a promise. */
  isYoung(ageMaxMs: number): boolean {
    return isYoung(this.#newest, this.#clock.nowMs(), ageMaxMs)
  }

  #renew(nowMs: number, ageMaxMs: number, fromMs: number): void {
    if (this.#newest === undefined || nowMs - this.#newest.askedAtMs < fromMs) return
    if (!isYoung(this.#next, nowMs, ageMaxMs)) this.#next = this.#askNow(nowMs)
  }

  #askNow(askedAtMs: number): Asked<T> {
    const answer = this.#ask()
    const asked: Asked<T> = { answer, askedAtMs }
    answer.then(
      (value) => {
        asked.answer = value
        if (this.#next !== asked) return
        this.#newest = asked
        this.#next = undefined
      },
      () => {
        if (this.#newest === asked) this.#newest = undefined
        if (this.#next === asked) this.#next = undefined
      },
    )
    return asked
  }
}

function isYoung<T>(
  asked: Asked<T> | undefined,
  nowMs: number,
  ageMaxMs: number,
): asked is Asked<T> {
  if (asked === undefined) return false
  const ageMs = nowMs - asked.askedAtMs
  return ageMs >= 0 && ageMs < ageMaxMs
}

/**
 * Shared answers by key. At most `entriesMax` keys are kept, which limits memory. The oldest keys are dropped first.
 */
export class SharedAnswers<T> {
  readonly #clock: Pick<Clock, 'nowMs'>
  readonly #entriesMax: number
  readonly #answers = new Map<string | number, SharedAnswer<T>>()

  constructor(clock: Pick<Clock, 'nowMs'>, entriesMax: number) {
    this.#clock = clock
    this.#entriesMax = entriesMax
  }

  /** Returns the shared answer of a key. If the key is new, `ask` becomes its question. */
  of(key: string | number, ask: () => Promise<T>): SharedAnswer<T> {
    let answer = this.#answers.get(key)
    if (answer === undefined) {
      makeRoom(this.#answers, this.#entriesMax)
      answer = new SharedAnswer(ask, this.#clock)
      this.#answers.set(key, answer)
    }
    return answer
  }

  /** Drops the answers whose questions were asked at least `ageMs` ago. Returns true if any answer is left. */
  dropOlder(ageMs: number): boolean {
    return dropWhere(this.#answers, (answer) => !answer.isYoung(ageMs))
  }
}

/**
 * For each map that has been full, an iterator over its keys, which starts with the oldest key. The iterator is kept
 * between calls. A new iterator would first skip the gaps that earlier deletions have left, which takes as long as
 * skipping thousands of entries.
 */
const oldestKeys = new WeakMap<Map<unknown, unknown>, Iterator<unknown>>()

/**
 * Drops a map's oldest entries until there is room for one more entry. A Map keeps the order of insertion, so the
 * iterator's next key is the oldest. Each key that the iterator has returned was deleted. If such a key was inserted
 * again, it is at the end.
 */
export function makeRoom(map: Map<unknown, unknown>, entriesMax: number): void {
  while (map.size > 0 && map.size >= entriesMax) map.delete(oldestKeyOf(map))
}

/** Drops a map's entries for which `isPast` is true. Returns true if any entry is left. */
export function dropWhere<Value>(
  map: Map<unknown, Value>,
  isPast: (value: Value) => boolean,
): boolean {
  for (const [key, value] of map) if (isPast(value)) map.delete(key)
  // The old iterator could keep dropped entries in memory.
  oldestKeys.delete(map)
  return map.size > 0
}

function oldestKeyOf(map: Map<unknown, unknown>): unknown {
  const next = oldestKeys.get(map)?.next()
  if (next?.done === false) return next.value
  const keys = map.keys()
  oldestKeys.set(map, keys)
  return keys.next().value
}
