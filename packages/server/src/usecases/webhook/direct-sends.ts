import type { Clock } from '../../ports/clock.ts'
import type { SendResult } from '../../ports/webhook-sender.ts'
import { PlacesByName } from '../../running/places-by-name.ts'
import { RateLimit } from '../../running/rate-limit.ts'
import { ServiceError } from '../service-error.ts'

/** Tests and replays that an account may request: one a second, and ten at once after a pause. */
const RATE = { perSecond: 1, burst: 10 }
/** Maximum number of tests and replays of an account that wait for an answer at the same time. */
const OPEN_MAX = 4
/** A message is open for at most ten seconds. */
const OPEN_SECONDS = 10

/**
 * Limits the messages that the API sends on request. A partner may register any URL. Without this limit, the partner
 * could flood another partner's endpoint. The other partner might then block this service, and miss its own messages.
 */
export class DirectSends {
  readonly #rate: RateLimit
  readonly #open = new PlacesByName(OPEN_MAX)

  constructor(clock: Clock) {
    this.#rate = new RateLimit('account', clock, RATE)
  }

  /** Sends a message of an account. @throws ServiceError RATE_LIMITED if the account has requested too many. */
  async send(accountId: string, sending: () => Promise<SendResult>): Promise<SendResult> {
    const { isAllowed, retryAfterSeconds } = this.#rate.take(accountId)
    if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
    if (!this.#open.tryTake(accountId)) {
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: OPEN_SECONDS })
    }
    try {
      return await sending()
    } finally {
      this.#open.free(accountId)
    }
  }
}
