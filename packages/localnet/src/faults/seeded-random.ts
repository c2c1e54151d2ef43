import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that depend only on a seed: the SHA-256 of the seed and a counter. */
export class SeededRandom {
  readonly #seed: number
  #position = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  next(): number {
    const share = shareOf(`${this.#seed}:${this.#position}`)
    this.#position += 1
    return share
  }
}

/** A number in [0, 1) derived from a text. */
export function shareOf(text: string): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) / 2 ** 48
}
