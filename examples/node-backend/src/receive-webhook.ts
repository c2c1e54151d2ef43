import { verifyWebhook, WebhookVerificationError } from '@sotto/sdk/server'
import type { SottoClient, VerifiedWebhook } from '@sotto/sdk/server'
import type { TransferRecords } from './transfer-records.ts'

/** Less than the ten seconds for which the service waits for an answer. */
const PATIENCE_MS = 5_000

export interface Delivery {
  /** The body's exact text: the signature is over its bytes. */
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/**
 * Takes one delivery and returns the HTTP status to answer. It may come twice, late, and out of order, so
 * it is only a reason to look: what is kept is what the service says of the order now. Any other answer
 * than 2xx has it delivered again.
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
  // A test, or of another kind one day: nothing for us.
  if (event === undefined || event.type === 'webhook.test') return 204
  const known = records.read(event.data.trackingId)
  if (known?.final !== true) {
    const signal = AbortSignal.timeout(PATIENCE_MS)
    records.keep(await service.status(event.data.trackingId, { signal }))
  }
  return 204
}
