import type { Clock } from '../../ports/clock.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'
import type { MaybePromise } from '../../ports/maybe-promise.ts'
import { SharedAnswers } from '../../running/shared-answer.ts'

/**
 * Milliseconds for which a key is used before the keystore checks again that the key exists. The check is a system
 * call, which is too expensive for every quote. If a key is destroyed within this time, quotes that it signs can't be
 * ordered any more.
 */
const KEPT_MS = 1_000

/**
 * The keys that sign quotes. Whether a key exists is checked at most once a second. Orders must not use this class,
 * because an order needs a key that certainly exists.
 */
export class QuoteKeys {
  readonly #secrets: Secrets
  readonly #ofEpoch: SharedAnswers<EpochSecrets>

  constructor(secrets: Secrets, clock: Clock) {
    this.#secrets = secrets
    this.#ofEpoch = new SharedAnswers(clock, 1)
  }

  /** Returns the secrets of the current epoch. New secrets are durably stored before they are returned. */
  forNewOrder(epoch: number): MaybePromise<EpochSecrets> {
    const ask = () => this.#secrets.forNewOrder(epoch)
    return this.#ofEpoch.of(epoch, ask).read(KEPT_MS, KEPT_MS)
  }
}
