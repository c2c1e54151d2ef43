/** What the package takes from where it runs; tests and hosts with clocks of their own replace it. */
export interface Host {
  readonly nowMs: () => number
  /** A fraction from 0 to 1, for jitter alone: nothing secret is drawn from it. */
  readonly fraction: () => number
  /** Waits; rejects with the signal's reason as soon as it is aborted. */
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

/** 128 random bits as hex: a name that no other has. */
export const randomId = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
