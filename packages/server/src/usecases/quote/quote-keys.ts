import type { Clock } from '../../ports/clock.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { SharedAnswers } from '../../running/shared-answer.ts'

/**
 * How long a key is used before the keystore checks again that it exists. The check is a system call, which every
 * quote would otherwise make. A key that was destroyed within this time can only have signed quotes that can't be
 * ordered any more.
 */
const KEPT_MS = 1_000

/** The keys that sign quotes, checked once a second. Not for orders, which need a key that exists. */
export class QuoteKeys {
  readonly #secrets: Secrets
  readonly #ofEpoch: SharedAnswers<EpochSecrets>

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets
    this.#ofEpoch = new SharedAnswers(clock, 1)
  }

  /** The secrets of the current epoch, made durable first if they are new. */
  forNewOrder(epoch: number): MaybePromise<EpochSecrets> {
    const ask = () => this.#secrets.forNewOrder(epoch)
    return this.#ofEpoch.of(epoch, ask).read(KEPT_MS, KEPT_MS)
  }
}
