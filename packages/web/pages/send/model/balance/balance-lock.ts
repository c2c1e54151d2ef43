/** The browser can't keep other tabs from using the same balance. */
export class NoLocksError extends Error {
  override readonly name = 'NoLocksError'
}

export interface Hold {
  /** Lets another tab use the balance. */
  readonly release: () => void
}

/**
 * Resolves once this tab alone uses the balance; `isBusy` is called first if another tab has it. If a tab is closed
 * or crashes, another tab can use the balance.
 *
 * @throws NoLocksError; the signal's reason once the signal aborts.
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
      // Another tab has the lock. This callback must return at once, so it queues a second request and doesn't wait
      // for it.
      locks.request(lockName, { signal }, keep).catch(reject)
    }
    locks.request(lockName, { ifAvailable: true }, first).catch(reject)
  })
}
