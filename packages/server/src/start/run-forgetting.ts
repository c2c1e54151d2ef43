import type { Clock } from '../ports/clock.ts'
import type { KeptSecrets } from '../ports/secrets.ts'
import type { ServiceLog } from '../ports/service-log.ts'

/**
 * Zeroes destroyed keys in memory repeatedly until aborted, even while there are no requests. A failed round is
 * repeated.
 */
export async function runForgetting(
  secrets: Pick<KeptSecrets, 'forgetDestroyed'>,
  d: { readonly clock: Clock; readonly log: ServiceLog; readonly everyMs: number },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await d.clock.sleep(d.everyMs, signal)
    await secrets.forgetDestroyed().catch((error: unknown) => d.log.failed('forget_keys', error))
  }
}
