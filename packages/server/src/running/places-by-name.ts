/** Limits how much work with the same name runs at the same time, for example the work for one account. */
export class PlacesByName {
  readonly #limit: number
  readonly #taken = new Map<string, number>()

  constructor(limit: number) {
    this.#limit = limit
  }

  /** Takes a place. Returns false if all places of this name are taken. */
  tryTake(name: string): boolean {
    const taken = this.#taken.get(name) ?? 0
    if (taken >= this.#limit) return false
    this.#taken.set(name, taken + 1)
    return true
  }

  /** Frees a taken place. */
  free(name: string): void {
    const left = (this.#taken.get(name) ?? 0) - 1
    if (left > 0) this.#taken.set(name, left)
    else this.#taken.delete(name)
  }
}
