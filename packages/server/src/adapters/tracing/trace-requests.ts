import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Contexts, Otel, Tracer } from './load-otel.ts'

const SERVER_ERROR = 500

/**
 * Records requests as spans. A span's name is the method and the pattern of the route. Reads aren't recorded: a
 * partner's polls and streams of an order end when the order ends. The times of these reads would reveal which
 * settlement on chain belongs to the partner.
 */
export function traceRequests(
  otel: Otel,
  tracer: Tracer,
  contexts: Contexts,
  app: FastifyInstance,
): void {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, spans } = otel
  const open = new WeakMap<FastifyRequest, ReturnType<Tracer['startSpan']>>()
  const start = (request: FastifyRequest) => {
    const { method } = request
    const route = request.routeOptions.url ?? 'none'
    const attributes = { 'http.request.method': method, 'http.route': route }
    const startTime = new Date(request.startedMs)
    const options = { kind: SpanKind.SERVER, attributes, startTime, root: true }
    return tracer.startSpan(`${method} ${route}`, options, ROOT_CONTEXT)
  }
  app.addHook('preHandler', (request, _reply, done) => {
    if (request.method === 'GET') {
      done()
      return
    }
    const span = start(request)
    open.set(request, span)
    contexts.with(spans.setSpan(ROOT_CONTEXT, span), done)
  })
  app.addHook('onResponse', (request, reply, done) => {
    // A request that is refused before the hook above has no span yet.
    if (request.method !== 'GET') {
      const span = open.get(request) ?? start(request)
      span.setAttribute('http.response.status_code', reply.statusCode)
      if (request.errorCode !== undefined) span.setAttribute('error.type', request.errorCode)
      if (reply.statusCode >= SERVER_ERROR) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    }
    done()
  })
}
