import type { OrderStatusRecord, QuoteRequest, QuoteResponse } from '@sotto/contract'

/** The statements of a transfer's quote about privacy. */
export type StatedPrivacy = Pick<
  QuoteResponse,
  'privacy' | 'linkProbability' | 'waitingHelps' | 'suggestions'
>

/** The crowd that the quote's request asks for. */
export type AskedCrowd = Pick<QuoteRequest, 'minCrowd' | 'crowdMissed'>

/** The privacy of a transfer in English sentences, for the person who decides. */
export interface PrivacyInWords {
  /**
   * How well the transfer hides. With `none` anyone can link it, so ask the person again before they sign. With
   * `large`, ten wallets or more could have made it. A transfer that is refunded if its crowd is too small never has
   * `none`.
   */
  readonly hiding: 'none' | 'small' | 'large'
  /**
   * The least number of wallets that could have made the transfer, the sender's included: from the quote, or the crowd
   * for which the transfer waits.
   */
  readonly wallets: number
  /** Whether a reader of the blockchain can link the transfer: "yes", or the chance. */
  readonly verdict: string
  /** The facts that such a reader sees. */
  readonly reason: string
  /** The effect of a longer delay; undefined if the transfer has the longest delay. */
  readonly delay: string | undefined
  /** Suggested amounts that hide the transfer better, because more wallets send them. */
  readonly amounts: NonNullable<QuoteResponse['suggestions']>
}

/** A crowd of this size hides well enough. */
const LARGE = 10
/** The longest delay that services usually accept, in seconds. */
const LONGEST_SECONDS = 3_000

/**
 * Puts the privacy that the quote of a transfer states into words. `asked` is the crowd of the quote's request. A
 * payment out of a balance has no such statement.
 */
export function privacyInWords(stated: StatedPrivacy, asked: AskedCrowd = {}): PrivacyInWords {
  const { anonymitySet } = stated.privacy
  const { minCrowd, crowdMissed } = asked
  const isAssured = minCrowd !== undefined && crowdMissed !== 'deliver'
  const wallets = isAssured ? minCrowd : anonymitySet
  const hiding = wallets <= 1 ? 'none' : wallets < LARGE ? 'small' : 'large'
  const amounts = (stated.suggestions ?? []).filter((one) => one.anonymitySet > anonymitySet)
  if (isAssured) {
    // The quote states the current crowd, but the delivery waits for a larger one.
    const reason = inItsCrowd(minCrowd, anonymitySet)
    return { hiding, wallets, verdict: 'only by guessing', reason, delay: undefined, amounts }
  }
  const chance = chanceOf(stated)
  return {
    ...{ hiding, wallets, amounts },
    verdict:
      chance === undefined
        ? 'yes'
        : hiding === 'none'
          ? `most likely, ${chance} %`
          : `with a chance of ${chance} %`,
    reason: hiding === 'none' ? whyLinked(stated, chance) : amongOthers(anonymitySet, chance),
    delay: delayOf(stated),
  }
}

function inItsCrowd(crowd: number, now: number): string {
  const present =
    now <= 1
      ? 'There is no such crowd now.'
      : now < crowd
        ? `Now at least ${now} wallets could have made it.`
        : 'There is such a crowd now.'
  return `It is delivered only while at least ${crowd} wallets could have made it, yours included. They have to guess which one did. ${present} If no such crowd is there in time, all of the money comes back to you.`
}

function whyLinked({ privacy }: StatedPrivacy, chance: bigint | undefined): string {
  if (privacy.windowSeconds === 0) {
    return 'They see your payment, and the delivery right after it. The times show that the two belong together.'
  }
  const fits = 'They see your payment, and that a matching amount arrives at the recipient.'
  return chance === undefined
    ? `${fits} No one else’s payment of this amount is waiting, so the money can only come from you.`
    : `${fits} Too few others send this amount now to hide you.`
}

function amongOthers(wallets: number, chance: bigint | undefined): string {
  const among = `They have to guess which wallet made this payment. Almost certainly at least ${wallets} wallets could have, yours included`
  const ofOne = 100n / BigInt(wallets)
  // The chance is a mean over all likely numbers of wallets, so it is usually below the chance for the least number.
  if (chance === undefined || chance >= ofOne) return `${among}.`
  return `${among}: that would be a chance of ${ofOne} %. Most likely there are more, which makes it ${chance} %.`
}

function delayOf({ privacy: { windowSeconds }, waitingHelps }: StatedPrivacy): string | undefined {
  if (windowSeconds === 0) return 'Choose the usual delivery time, or a longer one.'
  if (waitingHelps === false) {
    return 'A longer delivery time doesn’t help: no one else sends this amount.'
  }
  if (windowSeconds >= LONGEST_SECONDS) return undefined
  return 'Choose a longer delivery time, so that more people can send the same amount meanwhile.'
}

/** The chance that a stranger names the right wallet, in whole percent, rounded up; undefined if it is certain. */
function chanceOf({ linkProbability }: Pick<StatedPrivacy, 'linkProbability'>): bigint | undefined {
  if (linkProbability === undefined || linkProbability === '1') return undefined
  const thousandths = BigInt(linkProbability.slice('0.'.length).padEnd(3, '0'))
  return (thousandths + 9n) / 10n
}

/**
 * Puts the chance of an order's status record into words: whether a reader of the blockchain can link the transfer, as
 * stated when the order was made. Undefined for a payment out of a balance, because the service states no chance for
 * it, and for a record without a chance.
 */
export function linkInWords({
  linkProbability,
  payment,
}: Pick<OrderStatusRecord, 'linkProbability' | 'payment'>): string | undefined {
  if (linkProbability === undefined || payment !== undefined) return undefined
  const chance = chanceOf({ linkProbability })
  return chance === undefined ? 'Yes, with certainty.' : `With a chance of ${chance} %.`
}
