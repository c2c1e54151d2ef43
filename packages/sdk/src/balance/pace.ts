/** The first poll for a payment's end is made after this fraction of the last payment's duration. */
const UNASKED_PART = 0.75
/**
 * The longest first pause, as a multiple of the polling interval. Without this limit, the first poll for a fast payment
 * would be much too late if the last payment was slow.
 */
const FIRST_PAUSE_MAX = 10
/** An answer of the owner's node about the balance's note counts as new for this many milliseconds. */
const NEW_MS = 2_000

/** True if `atMs` is less than NEW_MS before `nowMs`. False if the clock has been set back since then. */
export const isJustPast = (atMs: number, nowMs: number): boolean =>
  nowMs >= atMs && nowMs < atMs + NEW_MS

/**
 * Decides how long to wait before the first poll of the owner's node for a payment's end. Every payment of a balance
 * waits for a proof and for finality. So each payment takes about as long as the last one, and earlier polls would find
 * nothing. If payments get faster, the first pause gets shorter with each payment.
 */
export class Pace {
  #lastMs = 0
  #endedAtMs: number | undefined

  /** Records when the node showed a payment's end, and when the payment's signature was sent to the service. */
  ended(nowMs: number, handedMs: number): void {
    this.#lastMs = nowMs - handedMs
    this.#endedAtMs = nowMs
  }

  /** True if the node has shown a payment's end within the last NEW_MS. */
  hasJustEnded(nowMs: number): boolean {
    return this.#endedAtMs !== undefined && isJustPast(this.#endedAtMs, nowMs)
  }

  /** The pause after a signature was sent, in milliseconds. */
  firstPauseMs(pollMs: number): number {
    return Math.min(Math.max(pollMs, this.#lastMs * UNASKED_PART), pollMs * FIRST_PAUSE_MAX)
  }
}
