import { MESSAGE } from '../examples/webhooks.ts'
import { WebhookEvent } from '../schemas/webhook-event.ts'
import type { Json } from './json.ts'
import type { Place } from './schema-set.ts'

const DESCRIPTION = `Sent to every endpoint of the account. Verify it on the exact bytes of the body, by [Standard Webhooks](https://www.standardwebhooks.com), answer within 10 seconds, and work afterwards. It may come twice, under the same \`webhook-id\`, and out of order: \`sequence\` rises with the life of an order.`

const header = (name: string, description: string, example: string): Json => ({
  ...{ name, in: 'header', required: true, description },
  ...{ schema: { type: 'string' }, example },
})

/** What the service sends to endpoints, as the document describes it. */
export const messageObject = (place: Place): Json => ({
  operationId: 'receiveEvent',
  summary: 'A message to an endpoint.',
  description: DESCRIPTION,
  tags: ['transfer'],
  security: [],
  parameters: [
    header('webhook-id', 'The same at every attempt.', 'evt_0oQNhTtYkhHSGfbZw17yyQ_5'),
    header('webhook-timestamp', 'Seconds since 1970 of this attempt.', '1795267490'),
    header(
      'webhook-signature',
      '`v1,` and the HMAC-SHA256 in base64, once for each secret, with spaces between them.',
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
    '2XX': { description: 'It arrived.' },
    '410': { description: 'Nothing is to be sent here any more: the endpoint is disabled.' },
  },
})
