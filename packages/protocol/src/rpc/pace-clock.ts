import type { PaceClock } from './request-pace.ts'

/**
 * The host's monotonic clock and timer. The wall clock isn't used: if someone set it back, requests would wait until it
 * reached the earlier time again.
 */
export const systemPaceClock: PaceClock = {
  nowMs: () => performance.now(),
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
