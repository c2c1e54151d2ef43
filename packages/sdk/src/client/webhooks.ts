import type {
  ListDeliveriesResponse,
  ListWebhooksResponse,
  ReplayDeliveryResponse,
  TestWebhookResponse,
  WebhookDelivery,
  WebhookRecord,
  WebhookResponse,
  WebhookWithSecretResponse,
} from '@sotto/contract'
import type { Call, CallOptions } from './call.ts'

/** An endpoint with its signing secret. The service shows the secret only once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRecord
  readonly secret: string
}

export type WebhookTest = Omit<TestWebhookResponse, 'success'>

/**
 * Manages the account's webhook endpoints. `create`, `remove`, `rotate`, `test` and `replay` are sent once and never
 * retried, because the service has no idempotency key for them. For example, a second `create` would register the URL
 * twice. After a SottoTransportError from one of these methods, call `list` to get the current state. If `rotate` fails
 * like this, call it again: the secret that you use now stays valid.
 */
export interface SottoWebhooks {
  /** Registers an https URL as an endpoint. @throws SottoApiError WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT_REACHED. */
  readonly create: (url: string, options?: CallOptions) => Promise<WebhookWithSecret>
  /** All endpoints, oldest first. */
  readonly list: (options?: CallOptions) => Promise<readonly WebhookRecord[]>
  /** Stops deliveries to the endpoint, and returns the endpoint's last record. */
  readonly remove: (webhookId: string, options?: CallOptions) => Promise<WebhookRecord>
  /** Creates a new secret. Until `overlapUntil`, the service signs messages with up to four earlier secrets too. */
  readonly rotate: (webhookId: string, options?: CallOptions) => Promise<WebhookWithSecret>
  /** Resumes deliveries to an endpoint that the service disabled because the endpoint responded with 410. */
  readonly enable: (webhookId: string, options?: CallOptions) => Promise<WebhookRecord>
  /** Sends a `webhook.test` message now. */
  readonly test: (webhookId: string, options?: CallOptions) => Promise<WebhookTest>
  /** The deliveries to an endpoint, page by page. Deliveries for the newest orders come first. */
  readonly deliveries: (
    webhookId: string,
    options?: CallOptions & { readonly pageSize?: number },
  ) => AsyncIterable<WebhookDelivery>
  /** Sends a message again: once, and immediately. */
  readonly replay: (
    webhookId: string,
    deliveryId: string,
    options?: CallOptions,
  ) => Promise<WebhookDelivery>
}

const ROOT = '/transfer/v1/webhooks'
const ONCE = { isRetried: false, body: {} } as const

const pathOf = (webhookId: string, ...rest: readonly string[]): string =>
  [ROOT, ...[webhookId, ...rest].map(encodeURIComponent)].join('/')

const keepSecret = ({ webhook, secret }: WebhookWithSecretResponse): WebhookWithSecret => {
  return { webhook, secret }
}

export function webhooksOf(call: Call): SottoWebhooks {
  return {
    create: async (url, { signal } = {}) =>
      keepSecret(await call('POST', ROOT, { ...ONCE, body: { url } }, signal)),
    list: async ({ signal } = {}) =>
      (await call<ListWebhooksResponse>('GET', ROOT, {}, signal)).webhooks,
    remove: async (webhookId, { signal } = {}) => {
      const sent = { isRetried: false }
      return (await call<WebhookResponse>('DELETE', pathOf(webhookId), sent, signal)).webhook
    },
    rotate: async (webhookId, { signal } = {}) =>
      keepSecret(await call('POST', pathOf(webhookId, 'rotate'), ONCE, signal)),
    enable: async (webhookId, { signal } = {}) => {
      const path = pathOf(webhookId, 'enable')
      return (await call<WebhookResponse>('POST', path, { body: {} }, signal)).webhook
    },
    test: async (webhookId, { signal } = {}) => {
      const path = pathOf(webhookId, 'test')
      const { success: _, ...tried } = await call<TestWebhookResponse>('POST', path, ONCE, signal)
      return tried
    },
    deliveries: async function* (webhookId, { signal, pageSize = 50 } = {}) {
      let cursor: string | null = null
      do {
        const query = new URLSearchParams({ limit: `${pageSize}` })
        if (cursor !== null) query.set('cursor', cursor)
        const path = `${pathOf(webhookId, 'deliveries')}?${query}`
        const page: ListDeliveriesResponse = await call('GET', path, {}, signal)
        yield* page.deliveries
        cursor = page.nextCursor
      } while (cursor !== null)
    },
    replay: async (webhookId, deliveryId, { signal } = {}) => {
      const path = pathOf(webhookId, 'deliveries', deliveryId, 'replay')
      return (await call<ReplayDeliveryResponse>('POST', path, ONCE, signal)).delivery
    },
  }
}
