interface Version<T> {
  readonly position: number
  readonly value: T
}

/**
 * A map that keeps the history of its values. The value of a key after any past transaction can be read. The position
 * of a value is the number of the transaction that wrote it. A lagging node reads at an older position. A fork or a
 * failed transaction discards later writes.
 */
export class VersionedMap<T> {
  readonly #histories = new Map<string, Version<T>[]>()

  /** The value of a key at a position; undefined if the key had no value then. */
  read(key: string, position: number): T | undefined {
    const history = this.#histories.get(key)
    if (history === undefined) return undefined
    for (let index = history.length - 1; index >= 0; index -= 1) {
      const version = history[index] as Version<T>
      if (version.position <= position) return version.value
    }
    return undefined
  }

  /** Writes a value at a position. The position must be at least the position of the last write. */
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
