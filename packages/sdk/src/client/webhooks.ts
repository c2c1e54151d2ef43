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

/** An endpoint and its signing secret, which is shown only once. */
export interface WebhookWithSecret {
  readonly webhook: WebhookRecord
  readonly secret: string
}

/** The result of a test message. */
export type WebhookTest = Omit<TestWebhookResponse, 'success'>

/**
 * The account's endpoints. `create`, `remove`, `rotate`, `test` and `replay` are sent once and never retried. The
 * interface has no idempotency key for them, and a second `rotate` would revoke the secret that the first one kept
 * valid. After a SottoTransportError from one of them, `list` shows the current state.
 */
export interface SottoWebhooks {
  /** Registers an https address. @throws SottoApiError WEBHOOK_URL_REFUSED, WEBHOOK_LIMIT_REACHED. */
  readonly create: (url: string, options?: CallOptions) => Promise<WebhookWithSecret>
  /** Oldest first. */
  readonly list: (options?: CallOptions) => Promise<readonly WebhookRecord[]>
  /** Stops deliveries to the endpoint and returns its former record. */
  readonly remove: (webhookId: string, options?: CallOptions) => Promise<WebhookRecord>
  /** Creates a new secret. Until `overlapUntil`, the previous secret also signs. */
  readonly rotate: (webhookId: string, options?: CallOptions) => Promise<WebhookWithSecret>
  /** Resumes deliveries to an endpoint that was disabled because it answered 410. */
  readonly enable: (webhookId: string, options?: CallOptions) => Promise<WebhookRecord>
  /** Sends `webhook.test` now. */
  readonly test: (webhookId: string, options?: CallOptions) => Promise<WebhookTest>
  /** The deliveries to an endpoint, those of the newest orders first, page by page. */
  readonly deliveries: (
    webhookId: string,
    options?: CallOptions & { readonly pageSize?: number },
  ) => AsyncIterable<WebhookDelivery>
  /** Sends a message again, once, immediately. */
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

/** The endpoints of the account whose key `call` has. */
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
