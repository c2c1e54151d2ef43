import type { Clock } from '../../ports/clock.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'

/**
 * Each look is a call of the system, and every quote would make one. A key that was destroyed within
 * so short a time can only have signed quotes that nobody can order any more.
 */
const KEPT_MS = 1_000

interface Looked {
  readonly epoch: number
  readonly askedAtMs: number
  /** The secrets themselves as soon as they are here. */
  secrets: MaybePromise<EpochSecrets>
}

/** The keys that quotes are signed with, looked for once a second. Never for orders: they last. */
export class QuoteKeys {
  readonly #secrets: Secrets
  readonly #clock: Clock
  #looked: Looked | undefined

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets
    this.#clock = clock
  }

  /** The secrets of the current epoch, made durable first where they are new. */
  forNewOrder(epoch: number): MaybePromise<EpochSecrets> {
    const nowMs = this.#clock.nowMs()
    const looked = this.#looked
    const ageMs = nowMs - (looked?.askedAtMs ?? 0)
    if (looked?.epoch === epoch && ageMs >= 0 && ageMs < KEPT_MS) return looked.secrets
    const secrets = this.#secrets.forNewOrder(epoch)
    const asked: Looked = { epoch, askedAtMs: nowMs, secrets }
    this.#looked = asked
    secrets.then(
      (found) => {
        asked.secrets = found
      },
      // A failure is told to whoever waits for it, and kept for nobody.
      () => {
        if (this.#looked === asked) this.#looked = undefined
      },
    )
    return secrets
  }
}
