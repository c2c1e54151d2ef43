import type { Operation } from '@sotto/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Clock } from '../../ports/clock.ts'
import { ServiceError } from '../../usecases/service-error.ts'
import { assertMediaType } from '../assert-media-type.ts'
import type { Endpoint } from '../endpoint.ts'
import { createOrderEndpoint } from '../endpoints/create-order.ts'
import { hintDepositEndpoint } from '../endpoints/hint-deposit.ts'
import { listTokensEndpoint } from '../endpoints/list-tokens.ts'
import { quoteTransferEndpoint } from '../endpoints/quote-transfer.ts'
import { readStatusEndpoint } from '../endpoints/read-status.ts'
import { refreshTransactionEndpoint } from '../endpoints/refresh-transaction.ts'
import { pagePolicy } from '../pages/page-policy.ts'
import { isSameOrigin } from '../pages/same-origin.ts'
import type { RateLimitOptions } from '../rate-limit.ts'
import type { UseCases } from '../use-cases.ts'
import { OrderCapability } from './order-capability.ts'
import { callAsPage, type PageRequest } from './page-calls.ts'
import { PageLimits, type PageCall } from './page-limits.ts'
import { relayNode } from './relay-node.ts'
import { registerPageFiles } from './register-page-files.ts'
import type { SendPageOptions } from './send-page-options.ts'

const API = '/send/api'
const ORDERS = `${API}/orders`
const RELAY_BYTES_MAX = 8_192
const JSON_TYPE = 'application/json; charset=utf-8'
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

interface SendPageDependencies {
  readonly useCases: UseCases
  readonly clock: Clock
  readonly rateLimit: RateLimitOptions
}

type WithOrder = FastifyRequest<{ Params: { trackingId: string } }>

/**
 * The send page and the few calls that it makes: quote, order, and the status, refreshed transaction and
 * deposit hint of orders that the same browser made. All of it acts with the page's own API key, which
 * stays here, and answers pages of its own origin alone.
 */
export function registerSendPage(
  app: FastifyInstance,
  { useCases, clock, rateLimit }: SendPageDependencies,
  page: SendPageOptions,
): void {
  const { apiKey, cluster, programId, rpcUrl } = page
  const policy = pagePolicy(rpcUrl === undefined ? [] : [new URL(rpcUrl).origin])
  const limits = new PageLimits(clock, rateLimit)
  const capability = new OrderCapability(apiKey)
  registerPageFiles(app, '/send', page.files, policy)

  const onRequest = (
    request: FastifyRequest,
    reply: FastifyReply,
    done: (error?: Error) => void,
  ) => {
    reply.headers(policy)
    const { host, origin, 'sec-fetch-site': fetchSite } = request.headers
    const provenance = { host, origin, fetchSite: String(fetchSite ?? '') || undefined }
    if (!isSameOrigin(provenance, request.method !== 'GET')) {
      throw new ServiceError('FORBIDDEN')
    }
    assertMediaType(request)
    done()
  }
  const call = (of: unknown, sent: PageRequest) =>
    callAsPage(useCases, apiKey, of as Endpoint<Operation>, sent)
  const take = (kind: PageCall, request: FastifyRequest) => limits.take(kind, request.ip)
  const own = (request: WithOrder): string => {
    const { trackingId } = request.params
    if (!capability.holds(request.headers.cookie, trackingId)) {
      throw new ServiceError('ORDER_NOT_FOUND')
    }
    return trackingId
  }
  const send = (reply: FastifyReply, text: string) => reply.type(JSON_TYPE).send(text)

  app.get(`${API}/config`, { onRequest }, (_request, reply) =>
    send(reply, JSON.stringify({ success: true, cluster, programId, rpcUrl: rpcUrl ?? null })),
  )
  app.get(`${API}/tokens`, { onRequest }, async (request, reply) => {
    take('read', request)
    return send(reply, await call(listTokensEndpoint, {}))
  })
  app.post(`${API}/quote`, { onRequest }, async (request, reply) => {
    take('quote', request)
    return send(reply, await call(quoteTransferEndpoint, { body: request.body }))
  })
  app.post(ORDERS, { onRequest }, async (request, reply) => {
    take('order', request)
    const text = await call(createOrderEndpoint, { body: request.body })
    const { order } = JSON.parse(text) as { order: { trackingId: string } }
    const isSecure = !LOOPBACK.test(request.headers.host ?? '')
    const path = `${ORDERS}/${order.trackingId}`
    return send(
      reply.header('set-cookie', capability.grant(path, order.trackingId, isSecure)),
      text,
    )
  })
  app.get(`${ORDERS}/:trackingId`, { onRequest }, async (request: WithOrder, reply) => {
    take('read', request)
    return send(reply, await call(readStatusEndpoint, { trackingId: own(request) }))
  })
  app.post(`${ORDERS}/:trackingId/refresh`, { onRequest }, async (request: WithOrder, reply) => {
    take('quote', request)
    const trackingId = own(request)
    return send(reply, await call(refreshTransactionEndpoint, { body: request.body, trackingId }))
  })
  app.post(`${ORDERS}/:trackingId/deposit`, { onRequest }, async (request: WithOrder, reply) => {
    take('read', request)
    const trackingId = own(request)
    const body = { ...(request.body as object | undefined), trackingId }
    return send(reply, await call(hintDepositEndpoint, { body }))
  })
  if (rpcUrl !== undefined) return
  const relay = { onRequest, bodyLimit: RELAY_BYTES_MAX }
  app.post(`${API}/node`, relay, async (request, reply) => {
    take('node', request)
    return send(reply, await relayNode(page.askNode, cluster === 'localnet', request.body))
  })
}
