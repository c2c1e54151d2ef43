type Listener = () => void

/** The part of an `AbortSignal` that the service uses. */
class QuickSignal {
  aborted = false
  readonly #listeners = new Set<Listener>()

  addEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.add(listener)
  }

  removeEventListener(_: 'abort', listener: Listener): void {
    this.#listeners.delete(listener)
  }

  /** Node's `setMaxListeners` calls this method. This signal never warns. */
  setMaxListeners(): void {
    return
  }

  abort(): void {
    if (this.aborted) return
    this.aborted = true
    for (const listener of this.#listeners) listener()
    this.#listeners.clear()
  }
}

/**
 * Replaces Node's `AbortController` in the simulator's processes. It calls the same listeners in the same order. Node's
 * class is slower, because it creates an event and an error with each abort. A worker's loops abort at every wake-up.
 */
export class QuickAbortController {
  readonly signal = new QuickSignal()

  abort(): void {
    this.signal.abort()
  }
}
