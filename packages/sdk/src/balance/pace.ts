/** The first question to the node about a payment is asked after this fraction of the last payment's duration. */
const UNASKED_PART = 0.75
/**
 * The longest first pause, as a multiple of the pause between polls. It limits how much one slow payment can delay a
 * fast one after it.
 */
const FIRST_PAUSE_MAX = 10
/** For this long, an answer of the owner's node about the balance's note counts as new. */
const NEW_MS = 2_000

/** True if a time has just passed. If the clock was set back, it hasn't. */
export const isJustPast = (atMs: number, nowMs: number): boolean =>
  nowMs >= atMs && nowMs < atMs + NEW_MS

/**
 * Says when the owner's node is first asked whether a payment has ended. All payments of a balance wait for a proof and
 * for finality, so the next one takes about as long as the last one, and earlier questions would all be in vain. If
 * payments get faster, the first pause gets shorter with each of them.
 */
export class Pace {
  #lastMs = 0
  #endedAtMs: number | undefined

  /** Notes when the node showed a payment's end, and when its signature was handed over. */
  ended(nowMs: number, handedMs: number): void {
    this.#lastMs = nowMs - handedMs
    this.#endedAtMs = nowMs
  }

  /** True if the node has just shown a payment's end. */
  hasJustEnded(nowMs: number): boolean {
    return this.#endedAtMs !== undefined && isJustPast(this.#endedAtMs, nowMs)
  }

  /** The pause after a hand-over, in milliseconds. */
  firstPauseMs(pollMs: number): number {
    return Math.min(Math.max(pollMs, this.#lastMs * UNASKED_PART), pollMs * FIRST_PAUSE_MAX)
  }
}
