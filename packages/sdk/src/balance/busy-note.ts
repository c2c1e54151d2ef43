import { ceilToGrid } from '@sotto/protocol'
import type { BalanceContext } from './balance-context.ts'
import type { BalanceRecord } from './balance-state.ts'
import { LIFE_MAX_SECONDS } from './check-payment.ts'
import { ownNote, readNoteEnd } from './own-note.ts'

/** The service frees a note two minutes of its own clock after a payment's end, and a little later by the chain's. */
const FREED_WITHIN_SECONDS = 180n

/**
 * Waits while another payment out of the balance's note is under way, such as one that another holder of the secret
 * has ordered.
 */
export class BusyNote {
  /** The chain's clock at the first refusal. */
  #since: bigint | undefined

  /**
   * Returns once it is worth quoting again: once the note is spent, or the other payment may have ended. The service
   * says when that payment ends. If it doesn't, only one fact is known: the end is on the time grid.
   *
   * @param refusal the service's NOTE_IN_USE
   * @throws `refusal` itself once every payment that was under way at the first one must have ended.
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

/** The chain's clock at which the note may be free: as the service says, or after the next time of the grid. */
function freeAtSeconds(clock: bigint, refusal: unknown): bigint {
  const { retryAfterSeconds } = refusal as { readonly retryAfterSeconds?: unknown }
  if (typeof retryAfterSeconds === 'number' && Number.isSafeInteger(retryAfterSeconds)) {
    return clock + BigInt(retryAfterSeconds)
  }
  return ceilToGrid(clock - FREED_WITHIN_SECONDS) + FREED_WITHIN_SECONDS
}
