import { dropWhere, makeRoom } from './shared-answer.ts'

/**
 * Keeps at most `most` values for askers, each under the asker and a key. At this limit, the asker with the most values
 * loses its oldest value, so an asker of many questions displaces only its own values.
 */
export class KeptPerAsker<Value> {
  readonly #most: number
  /** The values of each asker, oldest first. A group that becomes empty is removed. */
  readonly #groups = new Map<string, Map<string, Value>>()
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get(asker: string, key: string): Value | undefined {
    return this.#groups.get(asker)?.get(key)
  }

  set(asker: string, key: string, value: Value): void {
    this.delete(asker, key)
    if (this.#size >= this.#most) this.#dropOne()
    const group = this.#groups.get(asker)
    if (group === undefined) this.#groups.set(asker, new Map([[key, value]]))
    else group.set(key, value)
    this.#size += 1
  }

  delete(asker: string, key: string): void {
    this.#change(asker, (group) => group.delete(key))
  }

  /** Drops the values for which `isPast` is true. Returns true if any value is left. */
  dropWhere(isPast: (value: Value) => boolean): boolean {
    for (const asker of this.#groups.keys()) {
      this.#change(asker, (group) => dropWhere(group, isPast))
    }
    return this.#size > 0
  }

  #dropOne(): void {
    let most: string | undefined
    let size = 0
    for (const [asker, group] of this.#groups) {
      if (group.size > size) [most, size] = [asker, group.size]
    }
    if (most !== undefined) this.#change(most, (group) => makeRoom(group, size))
  }

  #change(asker: string, shrink: (group: Map<string, Value>) => void): void {
    const group = this.#groups.get(asker)
    if (group === undefined) return
    const before = group.size
    shrink(group)
    this.#size -= before - group.size
    if (group.size === 0) this.#groups.delete(asker)
  }
}
