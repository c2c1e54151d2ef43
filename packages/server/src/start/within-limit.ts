import type { Clock } from '../ports/clock.ts'

/** Waits for work to end, but at most for a time in milliseconds. The work isn't stopped after that time. */
export async function withinLimit(
  clock: Clock,
  limitMs: number,
  work: Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const ended = work.finally(() => done.abort())
  await Promise.race([ended, clock.sleep(limitMs, done.signal)])
}
