import type { Clock } from '../../ports/clock.ts'
import type { SendResult } from '../../ports/webhook-sender.ts'
import { PlacesByName } from '../../running/places-by-name.ts'
import { RateLimit } from '../../running/rate-limit.ts'
import { ServiceError } from '../service-error.ts'

/** Tests and replays that an account may request: one a second, and ten at once after a pause. */
const RATE = { perSecond: 1, burst: 10 }
/** Maximum number of one account's tests, replays and registrations that wait for an answer at the same time. */
const OPEN_MAX = 4
/** A message or a query for an address waits for its answer for at most ten seconds. */
const OPEN_SECONDS = 10

/**
 * Limits the messages that the API sends on request, and the queries for the addresses of new endpoints. A partner may
 * register any URL. Without this limit, the partner could flood another partner's endpoint. The other partner might
 * then block this service, and miss its own messages.
 */
export class DirectSends {
  readonly #rate: RateLimit
  readonly #open = new PlacesByName(OPEN_MAX)

  constructor(clock: Clock) {
    this.#rate = new RateLimit('account', clock, RATE)
  }

  /**
   * Sends a message of an account. @throws ServiceError RATE_LIMITED if the account has requested too many messages.
   */
  async send(accountId: string, sending: () => Promise<SendResult>): Promise<SendResult> {
    const { isAllowed, retryAfterSeconds } = this.#rate.take(accountId)
    if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
    return this.wait(accountId, sending)
  }

  /**
   * Waits for another host's answer. @throws ServiceError RATE_LIMITED if the account already waits for too many
   * answers.
   */
  async wait<Result>(accountId: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.#open.tryTake(accountId)) {
      throw new ServiceError('RATE_LIMITED', { retryAfterSeconds: OPEN_SECONDS })
    }
    try {
      return await work()
    } finally {
      this.#open.free(accountId)
    }
  }
}
