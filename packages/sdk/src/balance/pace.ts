/** The first question to the node about a payment is asked after this fraction of the last payment's duration. */
const UNASKED_PART = 0.75
/**
 * The longest first pause, as a multiple of the pause between polls. It limits how much one slow payment can delay a
 * fast one after it.
 */
const FIRST_PAUSE_MAX = 10

/**
 * Says when the owner's node is first asked whether a payment has ended. All payments of a balance wait for a proof and
 * for finality, so the next one takes about as long as the last one, and earlier questions would all be in vain. If
 * payments get faster, the first pause gets shorter with each of them.
 */
export class Pace {
  #lastMs = 0

  /** Notes the time from the hand-over of a signature until the node showed the payment's end. */
  ended(tookMs: number): void {
    this.#lastMs = tookMs
  }

  /** The pause after a hand-over, in milliseconds. */
  firstPauseMs(pollMs: number): number {
    return Math.min(Math.max(pollMs, this.#lastMs * UNASKED_PART), pollMs * FIRST_PAUSE_MAX)
  }
}
