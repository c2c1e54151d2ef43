/**
 * The functions that the package needs from its environment. Tests replace them, and so can an environment with its own
 * clock.
 */
export interface Host {
  readonly nowMs: () => number
  /** A random fraction from 0 to 1. It is used only for jitter. Never use it for secrets. */
  readonly fraction: () => number
  /**
   * Waits for `ms` milliseconds. Rejects as soon as the signal aborts: with the signal's reason, or with an Error that
   * has the reason as its cause if the reason isn't an Error.
   */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}

export const systemHost: Host = {
  nowMs: () => Date.now(),
  fraction: () => Math.random(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(reasonOf(signal))
      const end = () => {
        clearTimeout(timer)
        reject(reasonOf(signal))
      }
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', end)
        resolve()
      }, ms)
      signal?.addEventListener('abort', end, { once: true })
    }),
}

function reasonOf(signal: AbortSignal | undefined): Error {
  const reason: unknown = signal?.reason
  return reason instanceof Error ? reason : new Error('aborted', { cause: reason })
}

export const secretBytes = (size: number): Uint8Array =>
  crypto.getRandomValues(new Uint8Array(size))

/** A unique id: 128 random bits as hex. */
export const randomId = (): string =>
  Array.from(secretBytes(16), (byte) => byte.toString(16).padStart(2, '0')).join('')
