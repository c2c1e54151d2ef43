import type { Clock } from '../../ports/clock.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'

interface Asked<T> {
  /** The value itself as soon as it is here. */
  answer: MaybePromise<T>
  readonly askedAtMs: number
}

/**
 * One question to a node, whose answer everybody shares who may have one so old. It is asked once at a
 * time, however many wait for it, or all of a busy second's requests would ask anew when it grows too
 * old and bring the node down. It is asked again when half of its time is over, so that on a busy
 * service nobody waits for a node that answers in the other half.
 */
export class SharedAnswer<T> {
  readonly #ask: () => Promise<T>
  readonly #clock: Clock
  #newest: Asked<T> | undefined
  #next: Asked<T> | undefined

  constructor(ask: () => Promise<T>, clock: Clock) {
    this.#ask = ask
    this.#clock = clock
  }

  /** An answer to a question asked less than `ageMaxMs` ago; asked now where that is 0. */
  read(ageMaxMs: number): MaybePromise<T> {
    const nowMs = this.#clock.nowMs()
    const ageOf = ({ askedAtMs }: Asked<T>) => nowMs - askedAtMs
    // The question of a clock that was set back is of no known age.
    const isYoung = (asked: Asked<T> | undefined): asked is Asked<T> =>
      asked !== undefined && ageOf(asked) >= 0 && ageOf(asked) < ageMaxMs
    if (isYoung(this.#newest)) {
      if (ageOf(this.#newest) >= ageMaxMs / 2 && !isYoung(this.#next)) {
        this.#next = this.#askNow(nowMs)
      }
      return this.#newest.answer
    }
    this.#newest = isYoung(this.#next) ? this.#next : this.#askNow(nowMs)
    this.#next = undefined
    return this.#newest.answer
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
      // A failure is told to whoever waits for it, and kept for nobody.
      () => {
        if (this.#newest === asked) this.#newest = undefined
        if (this.#next === asked) this.#next = undefined
      },
    )
    return asked
  }
}
