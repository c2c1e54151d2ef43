import type { Random } from '../../packages/server/src/ports/random.ts'

const WORD = 2 ** 32

/** Derives four words of state from a text, as the main loop of cyrb128 does. */
function stateOf(text: string): [number, number, number, number] {
  let [a, b, c, d] = [1_779_033_703, 3_144_134_277, 1_013_904_242, 2_773_480_762]
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index)
    a = b ^ Math.imul(a ^ code, 597_399_067)
    b = c ^ Math.imul(b ^ code, 2_869_860_233)
    c = d ^ Math.imul(c ^ code, 951_274_213)
    d = a ^ Math.imul(d ^ code, 2_716_044_179)
  }
  return [a | 0, b | 0, c | 0, d | 0]
}

/**
 * A generator of random numbers (sfc32), seeded by a text. Each part of a run has its own stream, so that more draws
 * in one part don't change the numbers of another part.
 */
export class SeededRandom implements Random {
  readonly #seed: string
  #a: number
  #b: number
  #c: number
  #counter: number

  constructor(seed: string) {
    this.#seed = seed
    ;[this.#a, this.#b, this.#c, this.#counter] = stateOf(seed)
    for (let round = 0; round < 12; round += 1) this.#word()
  }

  /** Another stream, derived from `name` and from this stream's seed. */
  stream(name: string): SeededRandom {
    return new SeededRandom(`${this.#seed}/${name}`)
  }

  bytes(size: number): Uint8Array {
    const bytes = new Uint8Array(size)
    for (let index = 0; index < size; index += 1) bytes[index] = this.#word() & 0xff
    return bytes
  }

  /** A whole number from 0 to `bound - 1`. Not all numbers are equally likely, but the bias is too small to matter. */
  below(bound: number): number {
    return Math.floor((this.#word() / WORD) * bound)
  }

  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1)
  }

  /** True with this probability. */
  chance(probability: number): boolean {
    return this.#word() < probability * WORD
  }

  pick<T>(items: readonly T[]): T {
    if (items.length === 0) throw new RangeError('there is nothing to pick from')
    return items[this.below(items.length)] as T
  }

  #word(): number {
    const b = this.#b
    const c = this.#c
    const word = (this.#a + b + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = b ^ (b >>> 9)
    this.#b = (c + (c << 3)) | 0
    this.#c = (((c << 21) | (c >>> 11)) + word) | 0
    return word >>> 0
  }
}
