import { ceilToGrid } from '@sotto/protocol'
import type { BalanceContext } from './balance-context.ts'
import type { BalanceRecord } from './balance-state.ts'
import { LIFE_MAX_SECONDS } from './check-payment.ts'
import { ownNote, readNoteEnd } from './own-note.ts'

/**
 * By its own clock, the service frees a note two minutes after the end of an unpaid payment. The third minute is for a
 * chain's clock that is ahead of the service's.
 */
const FREED_WITHIN_SECONDS = 180n

/**
 * Waits while another payment out of the balance's note is under way, for example one by another holder of the secret.
 */
export class BusyNote {
  /** The chain's clock at the first refusal. */
  #since: bigint | undefined

  /**
   * Returns once a new quote may succeed, because the note is spent or the other payment may have ended. The service
   * usually says when that payment ends. Otherwise the next time of the grid is assumed, because each payment ends at a
   * time of the grid.
   *
   * @param refusal the error NOTE_IN_USE with which the service refused
   * @throws `refusal` itself once every payment that was under way at the first refusal must have ended.
   */
  async wait(context: BalanceContext, record: BalanceRecord, refusal: unknown): Promise<void> {
    const { host, pollMs, signal } = context
    const note = await ownNote(context, record)
    let end = await readNoteEnd(context, note)
    if (end.kind !== 'open') return
    this.#since ??= end.clock
    if (end.clock > this.#since + LIFE_MAX_SECONDS + FREED_WITHIN_SECONDS) throw refusal
    const freeAt = freeAtSeconds(end.clock, refusal)
    do {
      await host.sleep(pollMs, signal)
      end = await readNoteEnd(context, note)
    } while (end.kind === 'open' && end.clock <= freeAt)
  }
}

/**
 * The second of the chain's clock at which the note may be free: the second that the service names. If the service
 * names none, it is computed from the next time of the grid at which a payment may end.
 */
function freeAtSeconds(clock: bigint, refusal: unknown): bigint {
  const { retryAfterSeconds } = refusal as { readonly retryAfterSeconds?: unknown }
  if (typeof retryAfterSeconds === 'number' && Number.isSafeInteger(retryAfterSeconds)) {
    return clock + BigInt(retryAfterSeconds)
  }
  return ceilToGrid(clock - FREED_WITHIN_SECONDS) + FREED_WITHIN_SECONDS
}
