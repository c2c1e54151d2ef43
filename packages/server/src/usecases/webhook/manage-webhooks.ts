import type {
  ListWebhooksResponse,
  TestWebhookResponse,
  WebhookRecord,
  WebhookResponse,
  WebhookWithSecretResponse,
} from '@sotto/contract'
import { formatSecret, secretName } from '../../domain/webhook-secret.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { Secrets } from '../../ports/secrets.ts'
import type { WebhookSender } from '../../ports/webhook-sender.ts'
import type { Webhook, WebhookStore } from '../../ports/webhook-store.ts'
import { isoOfMs } from '../iso-time.ts'
import type { DirectSends } from './direct-sends.ts'
import { hasArrived, sendSigned } from './send-signed.ts'
import { ServiceError } from '../service-error.ts'

export interface WebhookDependencies {
  readonly webhooks: WebhookStore
  readonly sender: WebhookSender
  readonly secrets: Pick<Secrets, 'apiKeyHmac'>
  readonly clock: Clock
  readonly random: Random
}

/** Maximum number of endpoints of an account: enough for the current endpoint, its successor, and some experiments. */
const WEBHOOKS_MAX = 5
const ID_BYTES = 16
/** Milliseconds for which messages are also signed with a replaced secret: long enough to deploy the new secret. */
const OVERLAP_MS = 86_400_000

/** Registers an endpoint. @throws ServiceError WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT_REACHED, RATE_LIMITED. */
export async function addWebhook(
  d: WebhookDependencies & { readonly directSends: DirectSends },
  accountId: string,
  url: string,
): Promise<WebhookWithSecretResponse> {
  // The caller may run the name server of the URL's host. So this check comes first: an account that already has the
  // maximum number of endpoints causes no name query.
  if ((await d.webhooks.list(accountId)).length >= WEBHOOKS_MAX)
    throw new ServiceError('WEBHOOK_LIMIT_REACHED')
  const refusal = await d.directSends.wait(accountId, () => d.sender.refusalOf(url))
  if (refusal !== undefined) {
    throw new ServiceError('WEBHOOK_URL_REFUSED', {
      param: 'url',
      issues: [{ param: 'url', message: refusal }],
    })
  }
  const webhook: Webhook = {
    id: `wh_${Buffer.from(d.random.bytes(ID_BYTES)).toString('base64url')}`,
    ...{ accountId, url, createdAtMs: d.clock.nowMs() },
    ...{ disabledAtMs: undefined, timesEnabled: 0, secretVersion: 1, overlapUntilMs: undefined },
  }
  const isAdded = await d.webhooks.tryAdd(webhook, WEBHOOKS_MAX)
  if (!isAdded) throw new ServiceError('WEBHOOK_LIMIT_REACHED')
  return withSecret(d, webhook)
}

/** Lists the account's endpoints. */
export async function listWebhooks(
  { webhooks }: Pick<WebhookDependencies, 'webhooks'>,
  accountId: string,
): Promise<ListWebhooksResponse> {
  return { success: true, webhooks: (await webhooks.list(accountId)).map(render) }
}

/** Removes an endpoint and returns it. @throws ServiceError NOT_FOUND. */
export async function removeWebhook(
  { webhooks }: Pick<WebhookDependencies, 'webhooks'>,
  accountId: string,
  id: string,
): Promise<WebhookResponse> {
  const webhook = await findWebhook(webhooks, accountId, id)
  if (!(await webhooks.remove(accountId, id))) throw new ServiceError('NOT_FOUND')
  return { success: true, webhook: render(webhook) }
}

/**
 * Creates a new secret. For a day, messages are also signed with the earlier secrets. @throws ServiceError NOT_FOUND.
 */
export async function rotateWebhook(
  d: WebhookDependencies,
  accountId: string,
  id: string,
): Promise<WebhookWithSecretResponse> {
  assertWebhookId(id)
  const rotated = await d.webhooks.tryRotate(accountId, id, d.clock.nowMs() + OVERLAP_MS)
  if (rotated === undefined) throw new ServiceError('NOT_FOUND')
  return withSecret(d, rotated)
}

/** Resumes sending to a disabled endpoint. @throws ServiceError NOT_FOUND. */
export async function enableWebhook(
  { webhooks }: Pick<WebhookDependencies, 'webhooks'>,
  accountId: string,
  id: string,
): Promise<WebhookResponse> {
  assertWebhookId(id)
  const enabled = await webhooks.tryEnable(accountId, id)
  if (enabled === undefined) throw new ServiceError('NOT_FOUND')
  return { success: true, webhook: render(enabled) }
}

/**
 * Sends a test message that belongs to no order. It is sent immediately and isn't retried. @throws ServiceError
 * NOT_FOUND, RATE_LIMITED.
 */
export async function testWebhook(
  d: WebhookDependencies & { readonly directSends: DirectSends },
  accountId: string,
  id: string,
): Promise<TestWebhookResponse> {
  const webhook = await findWebhook(d.webhooks, accountId, id)
  const nowMs = d.clock.nowMs()
  const message = {
    id: `evt_test_${Buffer.from(d.random.bytes(ID_BYTES)).toString('base64url')}`,
    body: JSON.stringify({ type: 'webhook.test', timestamp: isoOfMs(nowMs), data: {} }),
  }
  const result = await d.directSends.send(accountId, () => sendSigned(d, webhook, message, nowMs))
  return {
    success: true,
    arrived: hasArrived(result),
    responseStatus: result.kind === 'answered' ? result.status : null,
    problem: result.kind === 'answered' ? null : result.kind,
  }
}

/**
 * Checks that a text has the form of a webhook id, because the database's query would fail for some other texts.
 * @throws ServiceError NOT_FOUND.
 */
function assertWebhookId(id: string): void {
  if (!/^wh_[A-Za-z0-9_-]{22}$/.test(id)) throw new ServiceError('NOT_FOUND')
}

/** Finds an endpoint of the account. @throws ServiceError NOT_FOUND, also for an endpoint of another account. */
export async function findWebhook(
  webhooks: WebhookStore,
  accountId: string,
  id: string,
): Promise<Webhook> {
  const found = (await webhooks.list(accountId)).find((webhook) => webhook.id === id)
  if (found === undefined) throw new ServiceError('NOT_FOUND')
  return found
}

async function withSecret(
  { secrets }: WebhookDependencies,
  webhook: Webhook,
): Promise<WebhookWithSecretResponse> {
  const secret = await secrets.apiKeyHmac(secretName(webhook.id, webhook.secretVersion))
  return { success: true, webhook: render(webhook), secret: formatSecret(secret) }
}

const isoOrNull = (ms: number | undefined) => (ms === undefined ? null : isoOfMs(ms))

const render = (webhook: Webhook): WebhookRecord => ({
  webhookId: webhook.id,
  url: webhook.url,
  createdAt: isoOfMs(webhook.createdAtMs),
  disabledAt: isoOrNull(webhook.disabledAtMs),
  overlapUntil: isoOrNull(webhook.overlapUntilMs),
})
