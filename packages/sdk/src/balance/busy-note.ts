import { ceilToGrid } from '@sotto/protocol'
import type { BalanceContext } from './balance-context.ts'
import type { BalanceRecord } from './balance-state.ts'
import { LIFE_MAX_SECONDS } from './check-payment.ts'
import { ownNote, readNoteEnd } from './own-note.ts'

/**
 * The service frees a note within two minutes of an unpaid payment's last valid second, by the service's clock.
 * One more minute is added, because the chain's clock may be ahead of the service's clock.
 */
const FREED_WITHIN_SECONDS = 180n

/**
 * Waits while another payment from the balance's note is in progress, for example a payment by another holder of the
 * secret.
 */
export class BusyNote {
  /** The chain's clock at the first refusal; undefined before it. */
  #since: bigint | undefined

  /**
   * Returns once a new quote may succeed: the note is spent, or the other payment may have ended. The service usually
   * states the number of seconds until then. Otherwise the method waits for the next time that is three minutes after a
   * ten-minute boundary. Every payment's validity ends at such a boundary, and the service frees the note soon after.
   *
   * @param refusal the error NOTE_IN_USE with which the service refused the order
   * @throws `refusal` itself, once every payment that was in progress at the first refusal has certainly ended
   */
  async wait(context: BalanceContext, record: BalanceRecord, refusal: unknown): Promise<void> {
    const { host, pollMs, signal } = context
    const note = await ownNote(context, record)
    let end = await readNoteEnd(context, note)
    if (end.kind !== 'open') return
    this.#since ??= end.clock
    const last = this.#since + LIFE_MAX_SECONDS + FREED_WITHIN_SECONDS
    if (end.clock > last) throw refusal
    const statedAt = freeAtSeconds(end.clock, refusal)
    // No other payment lasts beyond `last`, even if the service states a later time.
    const freeAt = statedAt < last ? statedAt : last
    do {
      await host.sleep(pollMs, signal)
      end = await readNoteEnd(context, note)
    } while (end.kind === 'open' && end.clock <= freeAt)
  }
}

/**
 * The second of the chain's clock at which the note may be free. The service usually states the number of seconds until
 * then. Otherwise the function computes the time from the ten-minute boundaries at which payments end.
 */
function freeAtSeconds(clock: bigint, refusal: unknown): bigint {
  const { retryAfterSeconds } = refusal as { readonly retryAfterSeconds?: unknown }
  if (typeof retryAfterSeconds === 'number' && Number.isSafeInteger(retryAfterSeconds)) {
    return clock + BigInt(retryAfterSeconds)
  }
  return ceilToGrid(clock - FREED_WITHIN_SECONDS) + FREED_WITHIN_SECONDS
}
