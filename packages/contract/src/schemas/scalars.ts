import { z } from 'zod'

const U64_MAX = 18_446_744_073_709_551_615n
const AMOUNT = /^(0|[1-9][0-9]{0,19})$/

const amountRule = z
  .string()
  .regex(AMOUNT, 'must be a string of decimal digits without leading zeros')
  .refine((digits) => !AMOUNT.test(digits) || BigInt(digits) <= U64_MAX, {
    error: 'must fit into 64 bits',
  })

/** Base units of an asset as decimal digits, within u64. */
export const AmountString = amountRule.meta({
  description: 'Raw base units as decimal digits, within 64 bits.',
  examples: ['1000000'],
})

// This rule checks only the text's length. A later check refuses texts that aren't addresses, with its own error code.
const addressRule = z.string().min(1).max(64)

export const AddressString = addressRule.meta({
  description: 'A chain address: 32 bytes in base58.',
  examples: ['4Nd1mYt3sQ6kH9eTJv8bVxkSgPzqQm3cHqvBq8cJq7hM'],
})

export const AssetId = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description:
      'Asset id from GET /transfer/v1/tokens: the mint. The mint of wrapped SOL means native SOL.',
    examples: ['So11111111111111111111111111111111111111112'],
  })

export const Timestamp = z
  .string()
  .regex(/^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$/)
  .meta({ description: 'ISO 8601, UTC, milliseconds.', examples: ['2026-01-02T03:04:05.000Z'] })

export const Mode = z.enum(['exact_in', 'exact_out']).meta({
  description: 'exact_in: the sender pays `amount`. exact_out: the recipient receives `amount`.',
})

export const CrowdMissed = z.enum(['refund', 'deliver']).meta({
  description:
    'What happens if minCrowd is not reached in time. refund, the default: the whole deposit returns to the sender after `deliverBy`. deliver: the service delivers without the crowd. A swap allows only deliver.',
})

const WHOLE_MAX = 4_294_967_295

/** A whole number that isn't an amount: seconds, slots, counts. */
export const Whole = z.int().min(0)

/** A node of the tree, big-endian. */
export const Node = z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')

/** A chance between 0 and 1, rounded up to thousandths. */
export const Chance = z
  .string()
  .regex(/^(0\.[0-9]{1,3}|1)$/)
  .meta({ description: 'A chance between 0 and 1 as a decimal number, rounded up to thousandths.' })

export const Seconds = Whole.max(WHOLE_MAX)

export const FeeBps = z
  .int()
  .min(0)
  .max(10_000)
  .meta({ description: "The partner's share in basis points. Each account has a maximum." })

/** The members of a request that tops up a balance. Without `balanceKey`, the request is for a transfer. */
export const BALANCE_MEMBERS = {
  balanceKey: z
    .string()
    .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits')
    .optional()
    .describe(
      "The public key of a balance's owner on BabyJubJub, packed to 32 bytes. If present, the transfer tops up the balance instead of paying a recipient.",
    ),
  balanceSeconds: Whole.min(86_400)
    .max(2_592_000)
    .optional()
    .describe(
      "Life of the balance in seconds. It begins at the deadline of the balance's order, and again at the beginning of the day (UTC) of each payment. The default is 30 days.",
    ),
  autoReturn: z
    .boolean()
    .optional()
    .describe(
      'True if the service returns the rest to the sender at the end; this is the default. If false, only the owner can return it.',
    ),
}

/** The ticket of a balance. It lacks the owner's secret. */
export const BalanceTicket = z
  .string({
    error: ({ input }) =>
      input === undefined
        ? "is missing: a payment names its balance. Send a transfer's quote to POST /transfer/v1/order"
        : undefined,
  })
  .regex(/^sotto2_[A-Za-z0-9_-]{276}$/, 'must be a recovery ticket')
  .meta({
    description:
      "The ticket of the balance's newest note, without its owner's secret. The payment comes out of this note.",
  })

/** The document's description of a tracking id. */
export const TRACKING_ID = {
  description: 'Identifier of an order.',
  examples: ['tr_AAECAwQFBgcICQoLDA0ODw'],
}

export const TrackingId = z.string().min(1).max(64).meta(TRACKING_ID)

export const Reference = z
  .string()
  .regex(/^[\x20-\x7e]{1,64}$/, 'must be 1 to 64 printable ASCII characters')
  .meta({ description: "The partner's own name for the order." })
