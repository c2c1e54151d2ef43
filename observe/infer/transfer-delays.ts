import { transferDelays } from './interval-model.ts'

/** The time of a delivery, relative to its deposit. */
export interface TransferTime {
  /** Seconds from the deposit to the delivery. */
  readonly delay: number
  /** Seconds from the end of the longest wait for a crowd to the delivery: see `waitEnd`. */
  readonly sinceWaitEnd: number
  /** True if the chain shows another wallet that could form a crowd with the deposit. */
  readonly couldHaveCrowd: boolean
}

/**
 * If no crowd forms for a waiting transfer, the transfer may be delivered without a crowd. Such a delivery lands within
 * this many seconds after the end of the wait: it is due within five minutes, and lands some seconds later.
 */
const WINDOW_SECONDS = 330
const LOG_IN_WINDOW = -Math.log(WINDOW_SECONDS)
/** The longest delay that a request may ask for. Usually, only transfers that wait for a crowd are delivered later. */
const LONGEST_SECONDS = 3_600
/**
 * The logarithm of the factor for a later delivery that no crowd explains. The factor isn't 0, because a service may
 * have been down.
 */
const LOG_UNEXPLAINED = Math.log(0.01)
/** The prior: this many of `ALL` transfers are delivered at the end of their wait. */
const PRIOR = 0.2
const ALL = 20

/**
 * The distribution of the time from a transfer's deposit to its delivery. It consists of a histogram of delays, and of
 * the window at the end of the longest wait for a crowd. The share of deliveries in this window is learnt.
 */
export class TransferDelays {
  readonly #delays = transferDelays()
  #share = PRIOR / ALL

  logDensity(time: TransferTime): number {
    const usual = this.#logUsual(time)
    if (!isInWindow(time)) return usual
    const ended = Math.log(this.#share) + LOG_IN_WINDOW
    const most = Math.max(usual, ended)
    return most + Math.log(Math.exp(usual - most) + Math.exp(ended - most))
  }

  /** The logarithm of the chance that a transfer of this age is still undelivered. */
  logSurvival({ delay, sinceWaitEnd }: Pick<TransferTime, 'delay' | 'sinceWaitEnd'>): number {
    const left = Math.min(1, Math.max(0, 1 - sinceWaitEnd / WINDOW_SECONDS))
    const usual = Math.exp(this.#delays.logSurvival(delay))
    return Math.log((1 - this.#share) * usual + this.#share * left)
  }

  /**
   * Learns from these transfers, and forgets the transfers of earlier calls. Each weight is the chance that the payment
   * is a transfer.
   */
  learn(transfers: readonly { readonly time: TransferTime; readonly weight: number }[]): void {
    let [ended, all] = [PRIOR, ALL]
    const delays = transfers.map(({ time, weight }) => {
      const atEnd = isInWindow(time)
        ? Math.exp(Math.log(this.#share) + LOG_IN_WINDOW - this.logDensity(time))
        : 0
      ended += weight * atEnd
      all += weight
      return { seconds: time.delay, weight: weight * (1 - atEnd) }
    })
    this.#delays.learn(delays)
    this.#share = ended / all
  }

  #logUsual({ delay, couldHaveCrowd }: TransferTime): number {
    const isExplained = delay <= LONGEST_SECONDS || couldHaveCrowd
    return (
      Math.log(1 - this.#share) +
      this.#delays.logDensity(delay) +
      (isExplained ? 0 : LOG_UNEXPLAINED)
    )
  }
}

const isInWindow = ({ sinceWaitEnd }: TransferTime): boolean =>
  sinceWaitEnd >= 0 && sinceWaitEnd < WINDOW_SECONDS

/**
 * Seconds from a deposit's deadline to the end of the longest wait for a crowd: the default delivery window, minus ten
 * minutes. Deadlines are public.
 */
const WAIT_SECONDS = 3_000

/** The end of the longest wait for a crowd. Anyone can compute it from the deposit. */
export const waitEnd = ({ deadline }: { readonly deadline: number }): number =>
  deadline + WAIT_SECONDS
