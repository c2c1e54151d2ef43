import { z } from 'zod'
import {
  AddressString,
  AmountString,
  BALANCE_MEMBERS,
  FeeBps,
  Reference,
  Timestamp,
  TrackingId,
  Whole,
} from './scalars.ts'

/**
 * The quote is any object here: a changed one must be refused with QUOTE_MISMATCH, which is decided from the
 * received value, not from a parsed one.
 */
export const ReceivedQuote = z
  .record(z.string(), z.unknown())
  .meta({ description: 'The complete, unchanged quote object; see Quote.' })

export const CreateOrderRequest = z
  .strictObject({
    quote: ReceivedQuote,
    senderAddress: AddressString,
    recipientAddress: AddressString,
    feeBps: FeeBps.optional(),
    feeRecipientAddress: AddressString.optional(),
    reference: Reference.optional(),
    ...BALANCE_MEMBERS,
  })
  .meta({
    id: 'CreateOrderRequest',
    description: 'The quote and the request that it was made for.',
  })

export const Order = z
  .strictObject({
    trackingId: TrackingId,
    transaction: z
      .base64()
      .describe(
        'Unsigned version-0 transaction; submit it, signed, with `preflightCommitment: "confirmed"`.',
      ),
    transactionEncoding: z.literal('base64'),
    amountIn: AmountString,
    amountOut: AmountString,
    sourceSymbol: z.string(),
    destinationSymbol: z.string(),
    eta: Whole.describe('Expected seconds until delivery.'),
    expiration: Timestamp.describe(
      "The order's deadline, enforced on-chain: a whole multiple of ten minutes.",
    ),
    payableUntil: Timestamp.optional().describe(
      'After this time no transaction of the order can land, and none is issued: `expiration` for a send, at most three minutes after the order was made for a swap.',
    ),
    blockhashExpiresAtSlot: Whole,
    lastValidBlockHeight: Whole.describe(
      'The last block height at which the transaction can land.',
    ),
    deliverBy: Timestamp.describe(
      'From this time on the order is refunded instead of delivered. For a balance, its end.',
    ),
    recovery: z
      .string()
      .describe(
        "Recovery ticket: settles the transfer without the service. Keep it secret. A balance's lacks its owner's secret.",
      ),
  })
  .meta({ id: 'Order' })

export const OrderResponse = z
  .strictObject({ success: z.literal(true), order: Order })
  .meta({ id: 'OrderResponse' })

export const RefreshRequest = z
  .strictObject({})
  .optional()
  .meta({ description: 'No body, or an empty object.' })

export type CreateOrderRequest = z.infer<typeof CreateOrderRequest>
export type Order = z.infer<typeof Order>
export type OrderResponse = z.infer<typeof OrderResponse>
