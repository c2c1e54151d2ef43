import { z } from 'zod'
import {
  AddressString,
  AmountString,
  AssetId,
  BALANCE_MEMBERS,
  FeeBps,
  BalanceTicket,
  Chance,
  CrowdMissed,
  Mode,
  Seconds,
  Timestamp,
  Whole,
} from './scalars.ts'

export const QuoteRequest = z
  .strictObject({
    amount: AmountString,
    sourceAssetId: AssetId,
    destinationAssetId: AssetId,
    senderAddress: AddressString,
    recipientAddress: AddressString,
    mode: Mode.optional(),
    feeBps: FeeBps.optional(),
    feeRecipientAddress: AddressString.optional(),
    minDelaySeconds: Seconds.optional().describe(
      'Minimum delay of the delivery. The delay is random, with an exponential distribution between this value and maxDelaySeconds.',
    ),
    maxDelaySeconds: Seconds.optional().describe(
      'Maximum delay of the delivery, counted from the finalized deposit. With 0 the delivery is made at once and is not private, because its time reveals the deposit.',
    ),
    minCrowd: Whole.min(2)
      .max(32)
      .optional()
      .describe(
        "The delivery waits until `privacy.anonymitySet` would be at least this number of wallets, including the sender's. Earlier payments to the recipient don't count here, although they can link the transfer: see `recipientPaidBefore`. Not allowed for balances.",
      ),
    crowdMissed: CrowdMissed.optional(),
    ...BALANCE_MEMBERS,
    balance: BalanceTicket.optional(),
  })
  .meta({
    id: 'QuoteRequest',
    description: 'The transfer, the top-up of a balance, or the payment out of a balance to quote.',
  })

/**
 * The set of a quote's members never changes, because clients send the quote back and may drop members that they don't
 * know.
 */
export const Quote = z
  .strictObject({
    sourceAssetId: AssetId,
    destinationAssetId: AssetId,
    mode: Mode,
    amountIn: AmountString.describe('Debited from the sender.'),
    amountOut: AmountString.describe('Received by the recipient.'),
    fee: AmountString.describe('protocolFee + networkFee.'),
    protocolFee: AmountString.describe("The service's fee and the partner's share."),
    networkFee: AmountString.describe(
      "The on-chain cost of the delivery, according to the destination's tariff, in the source asset.",
    ),
    feeBreakdown: z.strictObject({
      serviceFee: AmountString,
      partnerFee: AmountString,
      networkFee: AmountString,
    }),
    duration: Whole.describe(
      'Seconds within which the recipient has the funds in at least 95 % of transfers. The number grows with the queue of the provers.',
    ),
    min: AmountString.describe('The minimum `amount` that can be transferred now.'),
    max: AmountString.describe('The maximum `amount` that can be transferred now.'),
    quoteId: z.string(),
    issuedAt: Timestamp,
    expiresAt: Timestamp,
  })
  .meta({
    id: 'Quote',
    description: 'Send the quote back complete and unmodified to make an order.',
  })

export const Suggestion = z
  .strictObject({
    amount: AmountString.describe('The value of `amount` to request, in the same mode.'),
    amountOut: AmountString.describe(
      'The amount that the recipient receives if you choose this suggestion. It is a figure of the series.',
    ),
    anonymitySet: Whole.describe(
      'The `privacy.anonymitySet` of a transfer of this amount that is made now, to a recipient that was never paid. It is 1 if no other wallet sends this amount yet, and for every payment out of a balance.',
    ),
    linkProbability: Chance.describe(
      'The `linkProbability` of a transfer of this amount, to a recipient that was never paid.',
    ),
  })
  .meta({
    id: 'Suggestion',
    description: 'An amount of a fixed series, which other senders can choose too.',
  })

export const QuoteResponse = z
  .strictObject({
    success: z.literal(true),
    quote: Quote,
    privacy: z.strictObject({
      anonymitySet: Whole.describe(
        "The number of wallets among which the transfer hides. These are the sender's wallet, and other wallets with a deposit of the same value. Such a deposit looks undelivered to an observer of the chain, and will almost certainly still look undelivered when the sender's deposit lands. 1 means that anyone can link deposit and settlement, or that the pool has paid the recipient before. The number holds only if the recipient is paid once: a later payment to the same recipient can reveal the sender of both.",
      ),
      windowSeconds: Whole,
      suggestedAmounts: z
        .array(AmountString)
        .describe('The `amount` of each of the `suggestions`.'),
    }),
    linkProbability: Chance.optional().describe(
      'The chance that an observer of the chain guesses the true sender, if the transfer is made now. 1 means that no other wallet is possible, that the pool has paid the recipient before, or that the transfer may be delivered without its crowd: `crowdMissed` is `deliver`, and `privacy.anonymitySet` is below `minCrowd`.',
    ),
    waitingHelps: z
      .boolean()
      .optional()
      .describe(
        'False if a longer delay does not improve privacy, because no other wallet sends this amount, or because the pool has paid the recipient before. True if a longer delay may improve privacy, usually only slightly.',
      ),
    recipientPaidBefore: z
      .boolean()
      .optional()
      .describe(
        'True if the pool has paid this recipient before, in any asset, or if the service does not know the payees of earlier settlements yet. If the sender made one of the earlier payments, anyone can link both with the sender. So `privacy.anonymitySet` and `linkProbability` are then 1. A payment counts once its settlement is final. Absent for a top-up.',
      ),
    byAmount: z
      .strictObject({
        anonymitySet: Whole,
        linkProbability: Chance,
        waitingHelps: z.boolean(),
      })
      .optional()
      .describe(
        'Present for a transfer if `recipientPaidBefore` is true: the values that the quote would state for a recipient that was never paid. It applies only if the sender made none of the earlier payments.',
      ),
    suggestions: z
      .array(Suggestion)
      .optional()
      .describe(
        'Up to four values of `amount`, in ascending order. A request for one of them in the same mode, at the same price and fees, delivers a figure of the series. The series is 1, 1.5, 2, 2.5, 3, 4, 5, 6, 7.5, each times a power of ten. The figures are the nearest ones within the limits. A figure that no value of `amount` delivers exactly is left out.',
      ),
    rate: z
      .string()
      .optional()
      .describe(
        'Destination base units per source base unit, cut off after twelve digits. The zeros of a rate below 1 do not count.',
      ),
    senderMustHold: z.strictObject({
      native: AmountString.describe(
        "Lamports that the sender needs: the deposit's cost, the order account's rent (which is returned) and the minimum balance of the sender's account.",
      ),
      source: AmountString.describe('Base units of the source asset.'),
    }),
  })
  .meta({ id: 'QuoteResponse' })

export type QuoteRequest = z.infer<typeof QuoteRequest>
export type Suggestion = z.infer<typeof Suggestion>
export type Quote = z.infer<typeof Quote>
export type QuoteResponse = z.infer<typeof QuoteResponse>
