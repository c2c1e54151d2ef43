import { z } from 'zod'
import {
  AddressString,
  AmountString,
  AssetId,
  Chance,
  Node,
  Reference,
  Timestamp,
  TRACKING_ID,
  TrackingId,
  Whole,
} from './scalars.ts'

export const STATUSES = [
  'awaiting_deposit',
  'awaiting_signature',
  'deposited',
  'delivering',
  'delivered',
  'refunding',
  'refunded',
  'expired',
] as const

const UNREAD =
  'Null until the service has read the transaction, usually within a second. It stays null if no node has kept the transaction.'

export const ChainEvent = z
  .strictObject({
    signature: z.string().nullable().describe(UNREAD),
    slot: Whole.nullable().describe(UNREAD),
    at: Timestamp,
    assetId: AssetId,
    amount: AmountString.nullable().describe(
      'The amount of the asset that the transaction moved: for a deposit its amountIn, for a delivery its amountOut, for a refund the whole value of the note.',
    ),
    reason: z.string().optional(),
  })
  .meta({ id: 'ChainEvent', description: 'A finalized transaction and the amount that it moved.' })

export const RecoveryProof = z
  .strictObject({
    leafIndex: Whole.describe("The index of the order's note among all notes of the pool."),
    path: z
      .array(Node)
      .length(39)
      .describe('The siblings of the leaf in the tree: three for each level, from the leaf up.'),
    checkpoint: Node.describe(
      'The root to which the path leads. The chain keeps its newest 1,024 roots, and the last root of each hour for 64 days.',
    ),
  })
  .meta({
    id: 'RecoveryProof',
    description:
      'With this data and the recovery ticket, the order can be settled without the service.',
  })

export const Payment = z
  .strictObject({
    leafIndex: Whole.describe('The index of the note that pays, among all notes of the pool.'),
    payee: AddressString,
    payout: AmountString.describe('The amount that the payee gets.'),
    fee: AmountString.describe('The fee that the balance pays in addition.'),
    change: AmountString.describe('The rest of the balance after the payment.'),
    validUntil: Timestamp.describe(
      'The time at which the signature expires, on the grid of ten minutes. A payment that has not landed by then never lands.',
    ),
  })
  .meta({
    id: 'Payment',
    description: 'A payment out of a balance, in the form that its owner signs.',
  })

export const OrderStatus = z
  .strictObject({
    trackingId: TrackingId,
    status: z.enum(STATUSES),
    final: z.boolean().describe('True when the order has reached a final status.'),
    sourceAssetId: AssetId,
    destinationAssetId: AssetId,
    amountIn: AmountString,
    amountOut: AmountString,
    createdAt: Timestamp,
    updatedAt: Timestamp.describe(
      'Time of the last change, never before `createdAt`. For a transfer, it does not change at `delivering` and `refunding`. The end of an order is shown only to the hour; `delivery` or `refund` has its exact time.',
    ),
    expiration: Timestamp,
    payableUntil: Timestamp.optional().describe(
      'After this time no transaction of the order can land. For a swap, this is earlier than `expiration`.',
    ),
    deliverBy: Timestamp,
    eta: Whole.describe(
      'Expected seconds until the funds arrive, or until a balance can be used; 0 if the order is final.',
    ),
    nextAction: z.enum(['sign', 'refresh', 'wait', 'none']),
    deposit: ChainEvent.nullable(),
    delivery: ChainEvent.nullable(),
    refund: ChainEvent.nullable(),
    linkProbability: Chance.optional().describe(
      'The chance that an observer of the chain guesses the true sender, calculated when the order was made. The quote of the order is older and may state another chance. The chance is 1 for every payment out of a balance. It is also 1 for a transfer that may be delivered without its crowd, if the crowd was still incomplete. Absent in five cases: for a top-up, for a transfer that is delivered only in its crowd, for a recipient that was paid before (unless the chance is 1 for every recipient), for a restored order, and if the secrets of the order are destroyed or cannot be read.',
    ),
    reference: Reference.optional(),
    payment: Payment.optional().describe('Only for a payment out of a balance.'),
    recoveryProof: RecoveryProof.optional().describe(
      'Present from a few seconds after the deposit until the end of the order.',
    ),
  })
  .meta({ id: 'OrderStatus' })

export const StatusResponse = z
  .strictObject({ success: z.literal(true), order: OrderStatus })
  .meta({ id: 'StatusResponse' })

export const DepositHintRequest = z
  .strictObject({
    // The id may have any length here, so that every unknown or invalid id gets the same response.
    trackingId: z.string().meta(TRACKING_ID),
    signature: z.string().min(1).max(128).optional(),
  })
  .meta({
    id: 'DepositHintRequest',
    description: 'A hint, which the service verifies against the chain.',
  })

export const OrderSummary = OrderStatus.omit({
  eta: true,
  nextAction: true,
  deposit: true,
  delivery: true,
  refund: true,
  recoveryProof: true,
  linkProbability: true,
}).meta({ id: 'OrderSummary', description: 'An order without the signatures of its transactions.' })

export const ListOrdersQuery = z.strictObject({
  cursor: z.string().min(1).max(128).optional(),
  limit: z
    .string()
    .regex(/^([1-9][0-9]?|100)$/, 'must be a whole number from 1 to 100')
    .optional(),
})

export const ListOrdersResponse = z
  .strictObject({
    success: z.literal(true),
    orders: z.array(OrderSummary),
    nextCursor: z.string().nullable().describe('Null on the last page.'),
  })
  .meta({ id: 'ListOrdersResponse' })

export type ChainEvent = z.infer<typeof ChainEvent>
export type RecoveryProof = z.infer<typeof RecoveryProof>
export type OrderStatusRecord = z.infer<typeof OrderStatus>
export type StatusResponse = z.infer<typeof StatusResponse>
export type Payment = z.infer<typeof Payment>
export type OrderSummary = z.infer<typeof OrderSummary>
export type ListOrdersResponse = z.infer<typeof ListOrdersResponse>
