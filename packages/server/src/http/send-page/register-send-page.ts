import type { FastifyInstance } from 'fastify'
import { listTokensEndpoint } from '../endpoints/list-tokens.ts'
import { quoteTransferEndpoint } from '../endpoints/quote-transfer.ts'
import { pagePolicy } from '../pages/page-policy.ts'
import { PageRoutes, type PageDependencies } from './page-routes.ts'
import { registerOrderCalls } from './register-order-calls.ts'
import { registerPageFiles } from './register-page-files.ts'
import { relayNode } from './relay-node.ts'
import type { SendPageOptions } from './send-page-options.ts'

const ROOT = '/send'
const API = `${ROOT}/api`
const RELAY_BYTES_MAX = 8_192

/**
 * Serves the send page and its few calls. Every browser can quote and order. For its own orders, a browser can also
 * read the status, refresh the transaction, hint at a deposit, and send the owner's signature. These calls use the
 * page's own API key, which stays in this process. Only pages of this origin may make these calls.
 */
export function registerSendPage(
  app: FastifyInstance,
  d: PageDependencies,
  page: SendPageOptions,
): void {
  const { apiKey, cluster, programId, rpcUrl } = page
  const policy = pagePolicy(rpcUrl === undefined ? [] : [new URL(rpcUrl).origin])
  const routes = new PageRoutes(d, apiKey, policy)
  const { onRequest } = routes
  registerPageFiles(app, ROOT, page.files, policy)
  const config = JSON.stringify({ success: true, cluster, programId, rpcUrl: rpcUrl ?? null })
  app.get(`${API}/config`, { onRequest }, (_request, reply) => routes.send(reply, config))
  app.get(`${API}/tokens`, { onRequest }, async (request, reply) => {
    routes.take('read', request)
    return routes.send(reply, await routes.call(listTokensEndpoint, request, {}))
  })
  app.post(`${API}/quote`, { onRequest }, async (request, reply) => {
    routes.take('quote', request)
    return routes.send(
      reply,
      await routes.call(quoteTransferEndpoint, request, { body: request.body }),
    )
  })
  registerOrderCalls(app, API, routes, apiKey)
  if (rpcUrl !== undefined) return
  app.post(`${API}/node`, { onRequest, bodyLimit: RELAY_BYTES_MAX }, async (request, reply) => {
    routes.take('node', request)
    const options = { isLocal: cluster === 'localnet', programId }
    return routes.send(reply, await relayNode(page.askNode, options, request.body))
  })
}
