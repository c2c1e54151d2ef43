import type { QuoteResponse } from '@sotto/contract'

/** What a quote of a transfer states about its privacy. */
export type StatedPrivacy = Pick<QuoteResponse, 'privacy' | 'linkProbability' | 'waitingHelps'>

/** The privacy of a transfer in English sentences, for the person who decides. */
export interface PrivacyInWords {
  /**
   * How well the transfer hides. With `none` anyone can link it, so ask the person again before they sign. With `large`,
   * ten wallets or more could have made it.
   */
  readonly hiding: 'none' | 'small' | 'large'
  /** Whether anyone who reads the blockchain can link it: "yes", or with which chance. */
  readonly verdict: string
  /** What such a reader sees. */
  readonly reason: string
  /** What another delay would change; undefined if the transfer has the longest delay. */
  readonly delay: string | undefined
}

/** A crowd of this size hides well enough. */
const LARGE = 10
/** The longest delay that services usually accept, in seconds. */
const LONGEST_SECONDS = 3_000

/** Puts the privacy that the quote of a transfer states into words. A payment out of a balance has no such statement. */
export function privacyInWords(stated: StatedPrivacy): PrivacyInWords {
  const { anonymitySet } = stated.privacy
  const hiding = anonymitySet <= 1 ? 'none' : anonymitySet < LARGE ? 'small' : 'large'
  const chance = chanceOf(stated)
  return {
    hiding,
    verdict:
      chance === undefined
        ? 'yes'
        : hiding === 'none'
          ? `most likely, ${chance}`
          : `with a chance of ${chance}`,
    reason: hiding === 'none' ? whyLinked(stated, chance) : amongOthers(anonymitySet),
    delay: delayOf(stated),
  }
}

function whyLinked({ privacy }: StatedPrivacy, chance: string | undefined): string {
  if (privacy.windowSeconds === 0) {
    return 'They see your payment, and the delivery right after it. The times show that the two belong together.'
  }
  const fits = 'They see your payment, and that a matching amount arrives at the recipient.'
  return chance === undefined
    ? `${fits} No one else’s payment of this amount is waiting, so the money can only come from you.`
    : `${fits} Too few others send this amount now to hide you.`
}

const amongOthers = (wallets: number): string =>
  `They have to guess which wallet made this payment. At least ${wallets} wallets could have, yours included, and most likely more, which lowers the chance.`

function delayOf({ privacy: { windowSeconds }, waitingHelps }: StatedPrivacy): string | undefined {
  if (windowSeconds === 0) return 'Choose the usual delivery time, or a longer one.'
  if (waitingHelps === false) {
    return 'A longer delivery time doesn’t help: no one else sends this amount.'
  }
  if (windowSeconds >= LONGEST_SECONDS) return undefined
  return 'Choose a longer delivery time, so that more people can send the same amount meanwhile.'
}

/** The chance that a stranger names the right wallet, in whole percent, rounded up; undefined if it is certain. */
function chanceOf({ linkProbability }: StatedPrivacy): string | undefined {
  if (linkProbability === undefined || linkProbability === '1') return undefined
  const thousandths = BigInt(linkProbability.slice('0.'.length).padEnd(3, '0'))
  return `${(thousandths + 9n) / 10n} %`
}
