/** The browser has no locks, so the page can't prevent other tabs from using the same balance or transfer. */
export class NoLocksError extends Error {
  override readonly name = 'NoLocksError'
}

export interface Hold {
  /** Releases the balance or the transfer for other tabs. */
  readonly release: () => void
}

/**
 * Resolves as soon as no other tab uses the balance. If another tab is using the balance, the function first calls
 * `isBusy` and waits. The lock of a tab ends when the tab is closed or crashes.
 *
 * @throws NoLocksError if the browser has no locks; the signal's reason once the signal aborts.
 */
export const holdBalance = (name: string, isBusy: () => void, signal: AbortSignal): Promise<Hold> =>
  hold(`sotto:balance:${name}`, isBusy, signal)

/**
 * Like `holdBalance`, for a transfer. In a browser without locks, the page runs a transfer anyway, because its order
 * can be paid only once, even by two tabs.
 */
export const holdTransfer = async (
  trackingId: string,
  isBusy: () => void,
  signal: AbortSignal,
): Promise<Hold> =>
  locksOf() === undefined
    ? { release: () => undefined }
    : hold(`sotto:transfer:${trackingId}`, isBusy, signal)

const locksOf = (): LockManager | undefined =>
  (globalThis as { readonly navigator?: { readonly locks?: LockManager } }).navigator?.locks

function hold(lockName: string, isBusy: () => void, signal: AbortSignal): Promise<Hold> {
  const locks = locksOf()
  if (locks === undefined) return Promise.reject(new NoLocksError('this browser has no locks'))
  return new Promise((resolve, reject) => {
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
