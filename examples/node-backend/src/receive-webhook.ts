import { verifyWebhook, WebhookVerificationError } from '@sotto/sdk/server'
import type { SottoClient, VerifiedWebhook } from '@sotto/sdk/server'
import type { TransferRecords } from './transfer-records.ts'

/** Less than the ten seconds for which the service waits for an answer. */
const PATIENCE_MS = 5_000

export interface Delivery {
  /** The exact text of the body, because the signature is over its bytes. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Takes one delivery and returns the HTTP status to answer. A delivery may arrive twice, late, or out of order, so it
 * only triggers a check: the record stores the order's current status from the service. After any status other than
 * 2xx, the service delivers again.
 */
export async function receiveWebhook(
  secret: string,
  service: Pick<SottoClient, 'status'>,
  records: TransferRecords,
  { body, headers }: Delivery,
): Promise<number> {
  let verified: VerifiedWebhook
  try {
    verified = await verifyWebhook(headers, body, secret)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return 401
    throw error
  }
  const { event } = verified
  // The event is a test or of a type that was added later, so there is nothing to do.
  if (event === undefined || event.type === 'webhook.test') return 204
  const known = records.read(event.data.trackingId)
  if (known?.final !== true) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    records.keep(await service.status(event.data.trackingId, { signal }))
  }
  return 204
}
