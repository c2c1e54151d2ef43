import { verifyWebhook, WebhookVerificationError } from '@sotto/sdk/server'
import type { SottoClient, VerifiedWebhook } from '@sotto/sdk/server'
import type { TransferRecords } from './transfer-records.ts'

/** Time limit in milliseconds. It is less than the ten seconds for which the service waits for a response. */
const PATIENCE_MS = 5_000

export interface Delivery {
  /** The exact text of the body. The signature covers its bytes. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Handles one delivery, and returns the HTTP status for the response. A delivery may come twice, late, or out of
 * order. So a delivery only triggers a check: the backend reads the order's current status from the service and
 * stores it. If the status of the response isn't 2xx, the service sends the delivery again.
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
  // The event is a test, or its type was added after this version, so there is nothing to do.
  if (event === undefined || event.type === 'webhook.test') return 204
  const known = records.read(event.data.trackingId)
  if (known?.final !== true) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    records.keep(await service.status(event.data.trackingId, { signal }))
  }
  return 204
}
