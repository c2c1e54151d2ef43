interface Version<T> {
  readonly position: number
  readonly value: T
}

/**
 * Values with their history: the value of a key after any transaction. A transaction's number is its
 * position. A lagging node reads an older position; a fork or a failure discards later writes.
 */
export class VersionedMap<T> {
  readonly #histories = new Map<string, Version<T>[]>()

  /** The value at a position; undefined if there was none. */
  read(key: string, position: number): T | undefined {
    const history = this.#histories.get(key)
    if (history === undefined) return undefined
    for (let index = history.length - 1; index >= 0; index -= 1) {
      const version = history[index] as Version<T>
      if (version.position <= position) return version.value
    }
    return undefined
  }

  /** Writes at a position, which is never older than the last write's. */
  write(key: string, position: number, value: T): void {
    const history = this.#histories.get(key)
    if (history === undefined) {
      this.#histories.set(key, [{ position, value }])
    } else if (history.at(-1)?.position === position) {
      history[history.length - 1] = { position, value }
    } else {
      history.push({ position, value })
    }
  }

  /** Discards everything that was written after a position. */
  revert(position: number): void {
    for (const history of this.#histories.values()) {
      while ((history.at(-1)?.position ?? -1) > position) history.pop()
    }
  }

  /** Keys that have had a value, in the order of their first value. */
  keys(): string[] {
    return [...this.#histories.keys()]
  }
}
