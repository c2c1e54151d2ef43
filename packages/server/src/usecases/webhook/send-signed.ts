import { secretName, signingVersions } from '../../domain/webhook-secret.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { SendResult, WebhookSender } from '../../ports/webhook-sender.ts'
import type { Webhook } from '../../ports/webhook-store.ts'

interface Message {
  /** The value of the `webhook-id` header. */
  readonly id: string
  readonly body: string
}

/**
 * Sends a message to an endpoint once, signed with its current secrets. A fault of the receiver never causes an error.
 */
export async function sendSigned(
  { sender, secrets }: { sender: WebhookSender; secrets: Pick<Secrets, 'apiKeyHmac'> },
  webhook: Webhook,
  { id, body }: Message,
  nowMs: number,
): Promise<SendResult> {
  const versions = signingVersions(webhook, nowMs)
  return sender.send({
    ...{ url: webhook.url, id, body },
    timestampSeconds: Math.floor(nowMs / 1_000),
    secrets: await Promise.all(
      versions.map((version) => secrets.apiKeyHmac(secretName(webhook.id, version))),
    ),
  })
}

/** True if the endpoint accepted the message. */
export const hasArrived = (result: SendResult): boolean =>
  result.kind === 'answered' && result.status >= 200 && result.status < 300
