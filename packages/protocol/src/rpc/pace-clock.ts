import type { PaceClock } from './request-pace.ts'

/** The host's own clock, for clients outside the service. */
export const systemPaceClock: PaceClock = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', end)
        resolve()
      }
      const timer = setTimeout(end, ms)
      signal?.addEventListener('abort', end, { once: true })
      if (signal?.aborted === true) end()
    }),
}
