import { setTimeout as sleep } from 'node:timers/promises'
import { HUNG_MS } from './hung.ts'

const PAUSE_MS = 100
/** Minimum number of checks of a condition before the wait fails as hung. */
const ROUNDS = 100

/**
 * Waits until a condition is true. @throws Error with `missing` if the condition is still false after many checks and a
 * long time.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  missing: string | (() => string) = 'waited too long',
): Promise<void> {
  const endMs = Date.now() + HUNG_MS
  for (let rounds = 1; !(await isSo()); rounds += 1) {
    if (rounds > ROUNDS && Date.now() > endMs) {
      throw new Error(typeof missing === 'string' ? missing : missing())
    }
    await sleep(PAUSE_MS)
  }
}
