import { setTimeout as sleep } from 'node:timers/promises'
import { HUNG_MS } from './hung.ts'

const PAUSE_MS = 100
/** A condition is checked at least this many times before the wait counts as hung. */
const ROUNDS = 100

/** Waits until a condition holds. @throws Error with `missing` if it doesn't hold after many rounds and a long time. */
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
