import type { OrderStatusRecord, QuoteRequest, QuoteResponse } from '@sotto/contract'

/** The members of a transfer's quote that describe its privacy. */
export type StatedPrivacy = Pick<
  QuoteResponse,
  | 'privacy'
  | 'linkProbability'
  | 'waitingHelps'
  | 'recipientPaidBefore'
  | 'byAmount'
  | 'suggestions'
>

/** The crowd and the delays that the request for the quote asks for. */
export type AskedCrowd = Pick<
  QuoteRequest,
  'minCrowd' | 'crowdMissed' | 'minDelaySeconds' | 'maxDelaySeconds'
>

/** The members of the request for the quote on which the privacy depends. Without the wallets, they count as different. */
export type AskedPrivacy = AskedCrowd &
  Partial<Pick<QuoteRequest, 'senderAddress' | 'recipientAddress'>>

/** The privacy of a transfer in English sentences, written for the person who decides whether to send it. */
export interface PrivacyInWords {
  /**
   * How well the transfer hides its sender. `none`: anyone can link the transfer, so ask the person again before they
   * sign. `small`: fewer than ten wallets could have made it. `large`: ten or more wallets could have made it. This is
   * never `none` for a transfer that is refunded if its crowd is too small, unless the recipient was paid before or
   * is the sending wallet, or the delivery has no random time.
   */
  readonly hiding: 'none' | 'small' | 'large'
  /**
   * The minimum number of wallets that could have made the transfer, including the sender's, according to the quote. If
   * the quote contradicts itself or the request, this is the smaller number that they allow, often 1.
   * For a transfer that is delivered only in its requested crowd, this is the size of that crowd. For a transfer that
   * may be delivered without its crowd, this is 1 if there is no such crowd now. If the recipient was paid before
   * or is the sending wallet, this is 1.
   */
  readonly wallets: number
  /**
   * The answer to the question whether a reader of the blockchain can link the transfer: "yes", "yes, if no crowd
   * comes", or the chance in percent. For a crowd that is only requested, the chance is 1 divided by its size. If the
   * recipient was paid before, the answer begins with "yes", and may continue with the answer for a sender who never
   * paid the recipient.
   */
  readonly verdict: string
  /** The facts that a reader of the blockchain sees. */
  readonly reason: string
  /**
   * The effect of a longer delay; undefined if a longer delay isn't available or isn't relevant. If the recipient was
   * paid before, this also says what helps instead.
   */
  readonly delay: string | undefined
  /** Suggested amounts that hide the transfer better, because more wallets send them. */
  readonly amounts: NonNullable<QuoteResponse['suggestions']>
}

/**
 * Statements say "almost certainly" at a risk of 50 thousandths, and a chance is rounded up by one. So the chance is at
 * most this many thousandths above 1 divided by the number of wallets.
 */
const RISK = 51n
/** A crowd of at least this many wallets counts as large. */
const LARGE = 10
/** The longest delay that services usually accept, in seconds. */
const LONGEST_SECONDS = 3_000
/** The maximum delay of a transfer with the usual delivery time, in seconds. */
const USUAL_SECONDS = 1_800

/**
 * Describes in words the privacy that a transfer's quote states. `asked` is the request for that quote. If the quote
 * contradicts itself or the request, the worst case is described.
 * Don't pass the quote for a payment from a balance: such a quote always states one wallet, even if the payment is
 * private.
 */
export function privacyInWords(stated: StatedPrivacy, asked: AskedPrivacy = {}): PrivacyInWords {
  const { byAmount } = stated
  const { senderAddress, recipientAddress } = asked
  if (senderAddress !== undefined && senderAddress === recipientAddress) return TO_ITSELF
  if (stated.recipientPaidBefore !== true) return amongEqualAmounts(stated, asked)
  const privacy = { ...stated.privacy, anonymitySet: byAmount?.anonymitySet ?? 1 }
  return ifPaidBefore(amongEqualAmounts({ ...stated, ...byAmount, privacy }, asked))
}

/** The description of a transfer from a wallet to itself, whatever the quote states. */
const TO_ITSELF: PrivacyInWords = {
  ...{ hiding: 'none', wallets: 1, verdict: 'yes', delay: undefined, amounts: [] },
  reason:
    'You send to your own wallet. They see this wallet in your payment, and again as the recipient.',
}

/**
 * Adds sentences about what an earlier payment to the recipient reveals. The service doesn't know who made that
 * payment, but the sender does.
 */
function ifPaidBefore(words: PrivacyInWords): PrivacyInWords {
  const { verdict, reason, delay } = words
  return {
    ...words,
    ...{ hiding: 'none', wallets: 1 },
    verdict:
      verdict === 'yes'
        ? verdict
        : `yes, if you have paid this recipient before. If not: ${verdict}`,
    reason: `${reason} Everyone can also see that this recipient was paid through this service before. If one of those payments was yours, they can find the wallet that made both: yours.`,
    delay: `${delay === undefined ? '' : `${delay} `}If you have paid this recipient before, only a new address of theirs helps.`,
  }
}

function amongEqualAmounts(stated: StatedPrivacy, asked: AskedCrowd): PrivacyInWords {
  const { anonymitySet } = stated.privacy
  const { minCrowd, crowdMissed } = asked
  const isTimed = isLinkedByTime(stated, asked)
  const isAssured = minCrowd !== undefined && crowdMissed !== 'deliver' && !isTimed
  const wallets = isAssured ? minCrowd : isTimed ? 1 : crowdOf(stated)
  const hiding = wallets <= 1 ? 'none' : wallets < LARGE ? 'small' : 'large'
  const amounts = (stated.suggestions ?? []).filter((one) => one.anonymitySet > anonymitySet)
  if (isAssured) {
    // The quote states the current crowd. The delivery waits for the requested crowd, which may be larger than the
    // current one.
    const reason = inItsCrowd(minCrowd, anonymitySet)
    const verdict = `with a chance of about ${(99n + BigInt(minCrowd)) / BigInt(minCrowd)} %`
    return { hiding, wallets, verdict, reason, delay: undefined, amounts }
  }
  if (minCrowd !== undefined && crowdMissed === 'deliver' && anonymitySet < minCrowd) {
    const reason = `If no crowd of ${minCrowd} wallets comes in time, your payment is delivered without a crowd, at a time that anyone can compute from the payment. ${anonymitySet <= 1 ? 'There is no such crowd now.' : `Now at least ${anonymitySet} wallets could have made it, yours included.`}`
    return {
      hiding: 'none',
      wallets: 1,
      verdict: 'yes, if no crowd comes',
      reason,
      delay: undefined,
      amounts,
    }
  }
  const chance = isTimed ? undefined : chanceOf(stated)
  return {
    ...{ hiding, wallets, amounts },
    verdict:
      chance === undefined
        ? 'yes'
        : hiding === 'none'
          ? `most likely, ${chance} %`
          : `with a chance of ${chance} %`,
    reason: isTimed
      ? whyTimed(stated, asked)
      : hiding === 'none'
        ? whyLinked(chance)
        : amongOthers(wallets, chance),
    delay: isTimed ? 'Choose the usual delivery time, or a longer one.' : delayOf(stated),
  }
}

/** True if the delivery has no random time within the requested delays. Then no crowd hides the transfer. */
function isLinkedByTime(
  { privacy: { windowSeconds } }: StatedPrivacy,
  { minDelaySeconds = 0, maxDelaySeconds = Infinity }: AskedCrowd,
): boolean {
  return !(windowSeconds > minDelaySeconds && windowSeconds <= maxDelaySeconds)
}

/** The stated number of wallets, or fewer if the stated chance is too high for it. */
function crowdOf({ privacy: { anonymitySet }, linkProbability }: StatedPrivacy): number {
  const chance = thousandthsOf(linkProbability)
  if (chance === undefined || !Number.isSafeInteger(anonymitySet)) return 1
  const most = chance > RISK ? Number(1_000n / (chance - RISK)) : anonymitySet
  return Math.max(1, Math.min(anonymitySet, most))
}

function inItsCrowd(crowd: number, now: number): string {
  const present =
    now <= 1
      ? 'There is no such crowd now.'
      : now < crowd
        ? `Now at least ${now} wallets could have made it.`
        : 'There is such a crowd now.'
  return `Your payment is delivered only while at least ${crowd} wallets could have made it, yours included. Anyone who reads the blockchain has to guess which of them did. ${present} If no such crowd is there in time, all of the money comes back to you, and anyone can see that it did. ${ONLY_ONCE}`
}

function whyTimed({ privacy }: StatedPrivacy, { maxDelaySeconds }: AskedCrowd): string {
  return privacy.windowSeconds === 0 || maxDelaySeconds === 0
    ? 'They see your payment, and the delivery right after it. The times show that the two belong together.'
    : 'The quote gives the delivery no random time within the requested delay. So assume that the times show that your payment and the delivery belong together.'
}

function whyLinked(chance: bigint | undefined): string {
  const fits = 'They see your payment, and that a matching amount arrives at the recipient.'
  return chance === undefined
    ? `${fits} No one else’s payment of this amount is waiting, so the money can only come from you.`
    : `${fits} Too few others send this amount now, so they don’t hide you.`
}

function amongOthers(wallets: number, chance: bigint | undefined): string {
  const among = `They have to guess which wallet made this payment. Almost certainly at least ${wallets} wallets could have, yours included`
  const ofOne = 100n / BigInt(wallets)
  // The chance is an average over all likely numbers of wallets. So it is usually lower than the chance for the
  // minimum number of wallets.
  if (chance === undefined || chance >= ofOne) return `${among}. ${ONLY_ONCE}`
  return `${among}: that would be a chance of ${ofOne} %. Most likely there are more, so the chance is ${chance} %. ${ONLY_ONCE}`
}

/** If a recipient is paid again, the observer finds the one wallet that could have made both payments. */
const ONLY_ONCE = 'This holds only if you pay this recipient just once.'

function delayOf({ privacy: { windowSeconds }, waitingHelps }: StatedPrivacy): string | undefined {
  if (waitingHelps === false) {
    return 'A longer delivery time doesn’t help: as things are now, no one else sends this amount.'
  }
  if (windowSeconds >= LONGEST_SECONDS) return undefined
  // In the histories that docs/privacy.md measures, a delay of an hour instead of the usual delay lowers the chance by
  // about a fifth at most. A delay that is shorter than usual raises the chance far more.
  return windowSeconds < USUAL_SECONDS
    ? 'Choose the usual delivery time, so that more people can send the same amount meanwhile.'
    : 'A longer delivery time helps a little: more people can send the same amount meanwhile.'
}

/**
 * The chance that a stranger names the right wallet, in whole percent, rounded up; undefined if the stranger is
 * certain to be right.
 */
function chanceOf({ linkProbability }: Pick<StatedPrivacy, 'linkProbability'>): bigint | undefined {
  const thousandths = thousandthsOf(linkProbability)
  return thousandths === undefined ? undefined : (thousandths + 9n) / 10n
}

/**
 * A chance in thousandths. Undefined if it is 1, and also if it is absent, 0, or not in the contract's format: these
 * say nothing, so they count as certainty.
 */
function thousandthsOf(chance: string | undefined): bigint | undefined {
  const digits = /^0\.([0-9]{1,3})$/.exec(chance ?? '')?.[1]
  const thousandths = BigInt((digits ?? '').padEnd(3, '0'))
  return thousandths === 0n ? undefined : thousandths
}

/**
 * Says with what chance a reader of the blockchain can link the transfer of this status record. Undefined for
 * an order that ends without a delivery, and for a record without a chance. Also undefined for a payment out of a
 * balance, because its chance isn't measured.
 */
export function linkInWords({
  linkProbability,
  payment,
  status,
}: Pick<OrderStatusRecord, 'linkProbability' | 'payment' | 'status'>): string | undefined {
  const isDelivered = payment === undefined && !UNDELIVERED.has(status)
  if (linkProbability === undefined || !isDelivered) return undefined
  const chance = chanceOf({ linkProbability })
  return chance === undefined ? 'Yes, with certainty.' : `With a chance of ${chance} %.`
}

/** The statuses of an order that delivers nothing: it was never paid, or its money returns to the sender in public. */
const UNDELIVERED: ReadonlySet<OrderStatusRecord['status']> = new Set([
  ...(['refunding', 'refunded', 'expired'] as const),
])
