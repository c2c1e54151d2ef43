/** One event: a call, a fault or a change of status. */
export interface TraceLine {
  readonly atMs: number
  readonly who: string
  readonly what: string
}

const PRIME = 16_777_619

/**
 * The events of a run, in order. The digest depends on every line, so two runs with the same digest had the same
 * events. The lines themselves are kept only if they will be printed.
 */
export class Trace {
  readonly lines: TraceLine[] = []
  readonly #isKept: boolean
  #low = 2_166_136_261
  #high = 84_696_351
  /** The time of the last line, and its text. Many lines have the same time. */
  #atMs = NaN
  #atText = ''

  constructor(isKept: boolean) {
    this.#isKept = isKept
  }

  add(atMs: number, who: string, what: string): void {
    // The parts are hashed one by one, because joining them would take as long as hashing them.
    if (atMs !== this.#atMs) {
      this.#atMs = atMs
      this.#atText = `${atMs} `
    }
    this.#take(this.#atText)
    this.#take(who)
    this.#take(' ')
    this.#take(what)
    if (this.#isKept) this.lines.push({ atMs, who, what })
  }

  /** The digest as 16 hexadecimal digits (FNV-1a twice, with different start values). */
  get digest(): string {
    const hex = (word: number) => (word >>> 0).toString(16).padStart(8, '0')
    return hex(this.#low) + hex(this.#high)
  }

  #take(text: string): void {
    let low = this.#low
    let high = this.#high
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index)
      low = Math.imul(low ^ code, PRIME)
      high = Math.imul(high ^ (code + 131), PRIME)
    }
    this.#low = low
    this.#high = high
  }
}
