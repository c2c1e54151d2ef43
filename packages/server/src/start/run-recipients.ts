import type { Recipients } from '../adapters/chain/recipients/recipients.ts'
import type { Clock } from '../ports/clock.ts'
import type { ServiceLog } from '../ports/service-log.ts'

/** Watched wallets are read this often, whether or not anyone asks for them. */
const EVERY_MS = 10_000
/** Number of rounds between two searches of the chain for new public wallets. */
const LEARNING_ROUNDS = 6

/** Keeps public recipients and decoys up to date, at a pace that depends on the clock alone. */
export async function runRecipients(
  recipients: Pick<Recipients, 'learn' | 'refresh'>,
  d: { readonly clock: Clock; readonly log: Pick<ServiceLog, 'failed'> },
  signal: AbortSignal,
): Promise<void> {
  const failed = (error: unknown) => d.log.failed('recipients', error)
  for (let round = 0; !signal.aborted; round += 1) {
    if (round % LEARNING_ROUNDS === 0) await recipients.learn().catch(failed)
    await recipients.refresh().catch(failed)
    await d.clock.sleep(EVERY_MS, signal)
  }
}
