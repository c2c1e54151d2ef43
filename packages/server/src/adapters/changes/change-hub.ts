import type { StatusChanges } from '../../ports/status-changes.ts'

/**
 * Announces status changes that this process has made, and status changes that other processes have announced to this
 * process.
 */
export class ChangeHub implements StatusChanges {
  readonly #waiting = new Map<string, Set<() => void>>()

  readonly notify = (names: readonly string[]): void => {
    for (const name of names) for (const wake of [...(this.#waiting.get(name) ?? [])]) wake()
  }

  /** Wakes all waiting callers. Must be called if this process may have missed changes. */
  readonly notifyAll = (): void => this.notify([...this.#waiting.keys()])

  readonly next = (names: readonly string[], signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const wake = () => {
        for (const name of names) this.#forget(name, wake)
        signal.removeEventListener('abort', wake)
        resolve()
      }
      for (const name of names) {
        this.#waiting.set(name, (this.#waiting.get(name) ?? new Set()).add(wake))
      }
      signal.addEventListener('abort', wake)
      if (signal.aborted) wake()
    })

  #forget(name: string, wake: () => void): void {
    const waiting = this.#waiting.get(name)
    waiting?.delete(wake)
    if (waiting?.size === 0) this.#waiting.delete(name)
  }
}
