import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ServiceError } from '../../usecases/service-error.ts'
import { createOrderEndpoint } from '../endpoints/create-order.ts'
import { createPaymentEndpoint } from '../endpoints/create-payment.ts'
import { hintDepositEndpoint } from '../endpoints/hint-deposit.ts'
import { readStatusEndpoint } from '../endpoints/read-status.ts'
import { refreshTransactionEndpoint } from '../endpoints/refresh-transaction.ts'
import { signPaymentEndpoint } from '../endpoints/sign-payment.ts'
import { OrderCapability } from './order-capability.ts'
import type { PageRoutes } from './page-routes.ts'

/** Hosts at which the page is served without https, so its cookies must not have the attribute `Secure`. */
const LOOPBACK = /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/

type WithOrder = FastifyRequest<{ Params: { trackingId: string } }>

/** Serves the calls that create orders and payments, and the calls that follow orders of the same browser. */
export function registerOrderCalls(
  app: FastifyInstance,
  api: string,
  routes: PageRoutes,
  apiKey: string,
): void {
  const url = `${api}/orders`
  const { onRequest } = routes
  const capability = new OrderCapability(apiKey)
  const own = ({ params, headers }: WithOrder): string => {
    const { trackingId } = params
    if (capability.holds(headers.cookie, trackingId)) return trackingId
    throw new ServiceError('ORDER_NOT_FOUND')
  }

  const create = async (endpoint: unknown, request: FastifyRequest, reply: FastifyReply) => {
    routes.take('order', request)
    const text = await routes.call(endpoint, request, { body: request.body })
    const { trackingId } = (JSON.parse(text) as { order: { trackingId: string } }).order
    const isSecure = !LOOPBACK.test(request.headers.host ?? '')
    reply.header('set-cookie', capability.grant(`${url}/${trackingId}`, trackingId, isSecure))
    return routes.send(reply, text)
  }

  app.post(url, { onRequest }, (request, reply) => create(createOrderEndpoint, request, reply))
  app.post(`${api}/payments`, { onRequest }, (request, reply) =>
    create(createPaymentEndpoint, request, reply),
  )
  app.get(`${url}/:trackingId`, { onRequest }, async (request: WithOrder, reply) => {
    routes.take('read', request)
    const trackingId = own(request)
    return routes.send(reply, await routes.call(readStatusEndpoint, request, { trackingId }))
  })
  app.post(`${url}/:trackingId/refresh`, { onRequest }, async (request: WithOrder, reply) => {
    routes.take('quote', request)
    const sent = { body: request.body, trackingId: own(request) }
    return routes.send(reply, await routes.call(refreshTransactionEndpoint, request, sent))
  })
  app.post(`${url}/:trackingId/signature`, { onRequest }, async (request: WithOrder, reply) => {
    routes.take('read', request)
    const sent = { body: request.body, trackingId: own(request) }
    return routes.send(reply, await routes.call(signPaymentEndpoint, request, sent))
  })
  app.post(`${url}/:trackingId/deposit`, { onRequest }, async (request: WithOrder, reply) => {
    routes.take('read', request)
    const body = { ...(request.body as object | undefined), trackingId: own(request) }
    return routes.send(reply, await routes.call(hintDepositEndpoint, request, { body }))
  })
}
