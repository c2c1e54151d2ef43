import type { Recipients } from '../adapters/chain/recipients/recipients.ts'
import type { Clock } from '../ports/clock.ts'
import type { ServiceLog } from '../ports/service-log.ts'

/** Interval at which watched wallets are read, even if no request needs their data. */
const REFRESH_MS = 10_000
/** Pause between two searches of the chain for new public wallets. */
const LEARN_MS = 60_000

/**
 * Keeps public recipients and decoys up to date. The pace depends only on the clock. A search takes many requests, so
 * the watched wallets are read independently of the search. After an abort, this function returns without waiting for
 * responses.
 */
export async function runRecipients(
  recipients: Pick<Recipients, 'learn' | 'refresh'>,
  d: { readonly clock: Clock; readonly log: Pick<ServiceLog, 'failed'> },
  signal: AbortSignal,
): Promise<void> {
  const repeat = async (step: () => Promise<void>, everyMs: number) => {
    while (!signal.aborted) {
      await step().catch((error: unknown) => {
        if (!signal.aborted) d.log.failed('recipients', error)
      })
      await d.clock.sleep(everyMs, signal)
    }
  }
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
  const loops = [
    repeat(() => recipients.learn(signal), LEARN_MS),
    repeat(() => recipients.refresh(), REFRESH_MS),
  ]
  await Promise.race([Promise.all(loops), aborted])
}
