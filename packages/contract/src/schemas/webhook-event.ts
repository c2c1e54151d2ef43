import { z } from 'zod'
import { Reference, Timestamp, TrackingId } from './scalars.ts'
import type { STATUSES } from './status.ts'

/** The schema of an event: a change of an order's status, as an endpoint receives it. */
function orderEvent<
  Status extends (typeof STATUSES)[number],
  Final extends boolean,
  Sequence extends number,
>(status: Status, final: Final, ...sequences: [Sequence, ...Sequence[]]) {
  return z.strictObject({
    type: z.literal(`order.${status}` as const),
    timestamp: Timestamp,
    data: z.strictObject({
      trackingId: TrackingId,
      status: z.literal(status),
      final: z.literal(final),
      sequence: z.literal(sequences),
      reference: Reference.optional(),
    }),
  })
}

/**
 * The body of a message. The creation of an order isn't an event, because the account that receives the messages
 * created the order itself.
 */
export const WebhookEvent = z
  .discriminatedUnion('type', [
    orderEvent('deposited', false, 2),
    // The sequence number is 5 in two cases: a payment expires after it was `delivering`, or a node had falsely
    // reported the order's deposit.
    orderEvent('expired', true, 2, 5),
    orderEvent('delivering', false, 3),
    orderEvent('refunding', false, 4),
    orderEvent('delivered', true, 5),
    orderEvent('refunded', true, 5),
    // This message is sent three days before a balance ends, or later if the balance has a short life. It is sent only
    // if the balance still has money. The order's status doesn't change, so the message has no sequence number.
    z.strictObject({
      type: z.literal('balance.ending'),
      timestamp: Timestamp,
      data: z.strictObject({
        trackingId: TrackingId,
        endsAt: Timestamp,
        reference: Reference.optional(),
      }),
    }),
    z.strictObject({
      type: z.literal('webhook.test'),
      timestamp: Timestamp,
      data: z.strictObject({}),
    }),
  ])
  .meta({
    id: 'WebhookEvent',
    description:
      'A message to an endpoint, signed according to Standard Webhooks. Answer a message with an unknown `type` with 204, because types may be added.',
  })

export type WebhookEvent = z.infer<typeof WebhookEvent>
