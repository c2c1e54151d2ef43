import { setTimeout as timer } from 'node:timers/promises'

/** Milliseconds since 1970 by this machine's clock. */
export const nowMs = (): number => Date.now()

/** Waits; rejects as soon as the signal is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await timer(ms, undefined, signal === undefined ? {} : { signal })
}
