/** The browser has no locks, so the page can't prevent other tabs from using the same balance. */
export class NoLocksError extends Error {
  override readonly name = 'NoLocksError'
}

export interface Hold {
  /** Releases the balance for other tabs. */
  readonly release: () => void
}

/**
 * Resolves as soon as no other tab uses the balance. If another tab is using the balance, the function first calls
 * `isBusy` and waits. The lock of a tab ends when the tab is closed or crashes.
 *
 * @throws NoLocksError if the browser has no locks; the signal's reason once the signal aborts.
 */
export function holdBalance(name: string, isBusy: () => void, signal: AbortSignal): Promise<Hold> {
  const { locks } = navigator as { readonly locks?: LockManager }
  if (locks === undefined) return Promise.reject(new NoLocksError('this browser has no locks'))
  return new Promise((resolve, reject) => {
    const lockName = `sotto:balance:${name}`
    const keep = (): Promise<void> =>
      new Promise((release) => {
        if (!signal.aborted) return resolve({ release })
        release()
        reject(signal.reason as Error)
      })
    const first = async (lock: Lock | null) => {
      if (lock !== null) return keep()
      isBusy()
      // Another tab has the lock. This callback must return immediately, so it makes a second request for the lock
      // without awaiting it.
      locks.request(lockName, { signal }, keep).catch(reject)
    }
    locks.request(lockName, { ifAvailable: true }, first).catch(reject)
  })
}
