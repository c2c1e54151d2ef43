import { createHash } from 'node:crypto'

/** Numbers in [0, 1) that follow from a seed: SHA-256 over seed and position. */
export class SeededRandom {
  readonly #seed: number
  #position = 0

  constructor(seed: number) {
    this.#seed = seed
  }

  next(): number {
    const digest = createHash('sha256').update(`${this.#seed}:${this.#position}`).digest()
    this.#position += 1
    return digest.readUIntBE(0, 6) / 2 ** 48
  }
}
