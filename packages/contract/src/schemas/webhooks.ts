import { z } from 'zod'
import { STATUSES } from './status.ts'
import { Timestamp, TrackingId, Whole } from './scalars.ts'

export const WebhookId = z
  .string()
  .min(1)
  .max(64)
  .meta({ description: 'Identifier of an endpoint.', examples: ['wh_AAECAwQFBgcICQoLDA0ODw'] })

export const DeliveryId = z
  .string()
  .min(1)
  .max(64)
  .meta({
    description: 'The `webhook-id` of the message.',
    examples: ['evt_AAECAwQFBgcICQoLDA0ODw_5'],
  })

export const WebhookSecret = z
  .string()
  .regex(/^whsec_[A-Za-z0-9+/]{43}=$/)
  .describe(
    'The secret that verifies the messages according to Standard Webhooks. It is shown only here.',
  )

export const Webhook = z
  .strictObject({
    webhookId: WebhookId,
    url: z.string(),
    createdAt: Timestamp,
    disabledAt: Timestamp.nullable().describe(
      'The hour at which messages stopped; null while the endpoint is enabled.',
    ),
    overlapUntil: Timestamp.nullable().describe('Time until which the earlier secrets also sign.'),
  })
  .meta({
    id: 'Webhook',
    description: "An endpoint that receives messages about the account's orders.",
  })

export const CreateWebhookRequest = z
  .strictObject({
    url: z
      .string()
      .min(1)
      .max(2_048)
      .describe('An https address on the public internet, without user, password and fragment.'),
  })
  .meta({ id: 'CreateWebhookRequest' })

export const WebhookWithSecretResponse = z
  .strictObject({ success: z.literal(true), webhook: Webhook, secret: WebhookSecret })
  .meta({ id: 'WebhookWithSecretResponse' })

export const WebhookResponse = z
  .strictObject({ success: z.literal(true), webhook: Webhook })
  .meta({ id: 'WebhookResponse' })

export const ListWebhooksResponse = z
  .strictObject({ success: z.literal(true), webhooks: z.array(Webhook) })
  .meta({ id: 'ListWebhooksResponse' })

export const NoMembers = z
  .strictObject({})
  .optional()
  .meta({ description: 'No body, or an empty object.' })

export const TestWebhookResponse = z
  .strictObject({
    success: z.literal(true),
    arrived: z.boolean().describe('True if the endpoint answered with a status from 200 to 299.'),
    responseStatus: Whole.nullable().describe('Null if the endpoint did not answer.'),
    problem: z
      .enum(['refused', 'timeout', 'unreachable'])
      .nullable()
      .describe(
        "The reason why there is no answer. `refused`: the endpoint's name now has a private address, or no address.",
      ),
  })
  .meta({ id: 'TestWebhookResponse' })

export const WebhookDelivery = z
  .strictObject({
    deliveryId: DeliveryId,
    trackingId: TrackingId,
    status: z.enum(STATUSES).describe("The order's status in the message."),
    sequence: Whole,
    state: z.enum(['pending', 'delivered', 'failed']),
    attempts: Whole,
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
    nextAttemptAt: Timestamp.nullable(),
    responseStatus: Whole.nullable().describe(
      'The HTTP status of the last attempt; null if there was no answer.',
    ),
  })
  .meta({ id: 'WebhookDelivery' })

export const ListDeliveriesResponse = z
  .strictObject({
    success: z.literal(true),
    deliveries: z.array(WebhookDelivery).describe('Deliveries of newer orders come first.'),
    nextCursor: z.string().nullable().describe('Null on the last page. A page may be empty.'),
  })
  .meta({ id: 'ListDeliveriesResponse' })

export const ReplayDeliveryResponse = z
  .strictObject({ success: z.literal(true), delivery: WebhookDelivery })
  .meta({ id: 'ReplayDeliveryResponse' })

export type WebhookRecord = z.infer<typeof Webhook>
export type CreateWebhookRequest = z.infer<typeof CreateWebhookRequest>
export type WebhookWithSecretResponse = z.infer<typeof WebhookWithSecretResponse>
export type WebhookResponse = z.infer<typeof WebhookResponse>
export type ListWebhooksResponse = z.infer<typeof ListWebhooksResponse>
export type TestWebhookResponse = z.infer<typeof TestWebhookResponse>
export type WebhookDelivery = z.infer<typeof WebhookDelivery>
export type ListDeliveriesResponse = z.infer<typeof ListDeliveriesResponse>
export type ReplayDeliveryResponse = z.infer<typeof ReplayDeliveryResponse>
