import { MESSAGE } from '../examples/webhooks.ts'
import { WebhookEvent } from '../schemas/webhook-event.ts'
import type { Json } from './json.ts'
import type { Place } from './schema-set.ts'

const DESCRIPTION = `Sent to every endpoint of the account. Verify the exact bytes of the body according to [Standard Webhooks](https://www.standardwebhooks.com), answer within 10 seconds, and process the message afterwards. A message may arrive twice, with the same \`webhook-id\`, and messages may arrive out of order: \`sequence\` increases over the life of an order.`

const header = (name: string, description: string, example: string): Json => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type: 'string' }, example },
})

/** The document's description of the messages that the service sends to endpoints. */
export const messageObject = (place: Place): Json => ({
  operationId: 'receiveEvent',
  summary: 'A message to an endpoint.',
  description: DESCRIPTION,
  tags: ['transfer'],
  security: [],
  parameters: [
    header(
      'webhook-id',
      'The id of the message, the same for every attempt.',
      'evt_0oQNhTtYkhHSGfbZw17yyQ_5',
    ),
    header('webhook-timestamp', 'Time of this attempt, in seconds since 1970.', '1795267490'),
    header(
      'webhook-signature',
      'One signature for each secret, separated by spaces: `v1,` followed by the HMAC-SHA256 in base64.',
      'v1,4m1fP0a0cTTrYaVw3nA6R0XkqFzD4Ckr4eQ2cYJb6cU=',
    ),
  ],
  requestBody: {
    required: true,
    content: {
      'application/json': {
        schema: place(WebhookEvent),
        examples: { delivered: { summary: 'The recipient has the funds', value: MESSAGE } },
      },
    },
  },
  responses: {
    '2XX': { description: 'The message arrived.' },
    '410': { description: 'The endpoint wants no more messages and is disabled.' },
  },
})
