import { createHmac } from 'node:crypto'
import type { WebhookMessage } from '../../ports/webhook-sender.ts'

/**
 * Creates the headers of a message, as Standard Webhooks defines them. Each secret gives one signature: the HMAC-SHA256
 * over id, timestamp and body, joined by dots. Spaces separate the signatures.
 */
export function messageHeaders(message: WebhookMessage): Record<string, string> {
  const { id, timestampSeconds, body, secrets } = message
  const signatures = secrets.map((secret) => {
    const mac = createHmac('sha256', secret).update(`${id}.${timestampSeconds}.${body}`)
    return `v1,${mac.digest('base64')}`
  })
  return {
    'content-type': 'application/json',
    'content-length': `${Buffer.byteLength(body)}`,
    'user-agent': 'sotto-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': `${timestampSeconds}`,
    'webhook-signature': signatures.join(' '),
  }
}
