import { setTimeout as timer } from 'node:timers/promises'

/** Milliseconds since 1970 by this machine's clock. */
export const nowMs = (): number => Date.now()

/** Waits for this many milliseconds; rejects as soon as the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal })
}

/** Calls `work` every second until `stop` is called. The timer doesn't keep the process alive. */
export function eachSecond(work: () => void): { readonly stop: () => void } {
  const ticking = setInterval(work, 1_000)
  ticking.unref()
  return { stop: () => clearInterval(ticking) }
}
