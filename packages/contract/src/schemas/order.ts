import { z } from 'zod'
import {
  AddressString,
  AmountString,
  BALANCE_MEMBERS,
  BalanceTicket,
  FeeBps,
  Node,
  Reference,
  Timestamp,
  TrackingId,
  Whole,
} from './scalars.ts'
import { Payment } from './status.ts'

/**
 * This schema accepts any object as the quote. A later check refuses a changed quote with QUOTE_MISMATCH. That check
 * needs the received value, because a parsed copy would lack unknown members.
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
    description: 'The quote, and the request that it was made for.',
  })

export const CreatePaymentRequest = z
  .strictObject({
    quote: ReceivedQuote,
    senderAddress: AddressString,
    recipientAddress: AddressString,
    balance: BalanceTicket,
    reference: Reference.optional(),
  })
  .meta({
    id: 'CreatePaymentRequest',
    description: 'The quote of a payment out of a balance, and the request that it was made for.',
  })

export const Order = z
  .strictObject({
    trackingId: TrackingId,
    transaction: z
      .base64()
      .describe(
        'Unsigned version-0 transaction. Submit the signed transaction with `preflightCommitment: "confirmed"`.',
      ),
    transactionEncoding: z.literal('base64'),
    amountIn: AmountString,
    amountOut: AmountString,
    sourceSymbol: z.string(),
    destinationSymbol: z.string(),
    eta: Whole.describe('Expected seconds until delivery.'),
    expiration: Timestamp.describe(
      "The order's deadline, enforced on chain; a whole multiple of ten minutes.",
    ),
    payableUntil: Timestamp.optional().describe(
      'After this time no transaction of the order can land, and none is issued. For a send, it is `expiration`. For a swap, it is at most three minutes after the order was made.',
    ),
    blockhashExpiresAtSlot: Whole,
    lastValidBlockHeight: Whole.describe(
      'The last block height at which the transaction can land.',
    ),
    deliverBy: Timestamp.describe(
      'After this time the order can only be refunded. For a balance, this is its end, which payments postpone.',
    ),
    recovery: z
      .string()
      .describe(
        "The recovery ticket. Its holder can settle the transfer without the service, so keep it secret. The ticket of a balance lacks the owner's secret.",
      ),
  })
  .meta({ id: 'Order' })

export const OrderResponse = z
  .strictObject({ success: z.literal(true), order: Order })
  .meta({ id: 'OrderResponse' })

export const PaymentOrder = Order.pick({
  trackingId: true,
  amountIn: true,
  amountOut: true,
  sourceSymbol: true,
  destinationSymbol: true,
  eta: true,
  expiration: true,
  deliverBy: true,
})
  .extend({ payment: Payment })
  .meta({
    id: 'PaymentOrder',
    description:
      'An order that a balance pays. Its owner signs `payment`, and no wallet signs anything.',
  })

export const PaymentOrderResponse = z
  .strictObject({ success: z.literal(true), order: PaymentOrder })
  .meta({ id: 'PaymentOrderResponse' })

export const SignatureRequest = z
  .strictObject({
    changeNk: Node.describe("The secret of the note that holds the balance's rest, big-endian."),
    signature: z
      .strictObject({ S: Node, R8x: Node, R8y: Node })
      .describe('EdDSA over BabyJubJub with Poseidon, as circomlib defines it; big-endian.'),
    isLast: z
      .boolean()
      .optional()
      .describe(
        'If true, and if the payment leaves at most a thousandth of the top-up, the balance ends with this payment. The service then never returns the rest.',
      ),
  })
  .meta({ id: 'SignatureRequest', description: "A balance owner's signature of a payment." })

export const RefreshRequest = z
  .strictObject({})
  .optional()
  .meta({ description: 'No body, or an empty object.' })

export type CreateOrderRequest = z.infer<typeof CreateOrderRequest>
export type CreatePaymentRequest = z.infer<typeof CreatePaymentRequest>
export type Order = z.infer<typeof Order>
export type PaymentOrder = z.infer<typeof PaymentOrder>
export type PaymentOrderResponse = z.infer<typeof PaymentOrderResponse>
export type SignatureRequest = z.infer<typeof SignatureRequest>
export type OrderResponse = z.infer<typeof OrderResponse>
