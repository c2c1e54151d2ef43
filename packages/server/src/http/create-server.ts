import { DEPRECATIONS, type Deprecations } from '@sotto/contract'
import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import type { Clock } from '../ports/clock.ts'
import type { Random } from '../ports/random.ts'
import type { ServiceLog } from '../ports/service-log.ts'
import type { MaybePromise } from '../ports/maybe-promise.ts'
import { isImmediate } from '../running/is-immediate.ts'
import type { Caller } from '../usecases/access/authenticate.ts'
import { ServiceError } from '../usecases/service-error.ts'
import { ANSWER_HEADERS } from './answer-headers.ts'
import { asError } from './as-error.ts'
import { rememberMethods, WITH_HEAD } from './allowed-methods.ts'
import { answerClientError, drawRequestId } from './client-errors.ts'
import { SlowBodies } from './cut-slow-body.ts'
import { registerDeprecations } from './deprecation-headers.ts'
import { registerDocs } from './docs-pages.ts'
import type { Draining } from './draining.ts'
import { ENDPOINTS } from './endpoints.ts'
import { errorBody, errorHeaders } from './error-mapper.ts'
import { registerEventStream } from './event-stream.ts'
import { createGate } from './gate.ts'
import { isPublic, registerLeafPages } from './leaf-pages.ts'
import { ResponseBatcher, type AtEndOfTurn } from './response-batcher.ts'
import type { RateLimitOptions } from '../running/rate-limit.ts'
import { registerEndpoint } from './register-endpoint.ts'
import { registerErrors } from './register-errors.ts'
import { requestFault } from './request-fault.ts'
import { routableUrl } from './routable-url.ts'
import { routeEverything } from './route-everything.ts'
import { registerSendPage } from './send-page/register-send-page.ts'
import type { SendPageOptions } from './send-page/send-page-options.ts'
import { registerSecurityText, type SecurityText } from './security-text.ts'
import { parseStrictJson } from './strict-json.ts'
import type { UseCases } from './use-cases.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The authenticated caller; undefined before authentication, and for requests that need no API key. */
    caller: Caller | undefined
    startedMs: number
    errorCode: string | undefined
  }
}

export interface HttpDependencies {
  readonly useCases: UseCases
  readonly clock: Clock
  readonly random: Random
  readonly log: ServiceLog
  readonly rateLimit: RateLimitOptions
  /** Addresses and networks trusted to set X-Forwarded-For; none by default. */
  readonly trustedProxies?: readonly string[]
  /** Failed authentications allowed for an address. */
  readonly failureLimit?: RateLimitOptions
  /**
   * Runs work, such as sending batched responses, at the end of the event loop's turn. By default the work runs
   * immediately.
   */
  readonly atEndOfTurn?: AtEndOfTurn
  /** Milliseconds within which a complete request must arrive. */
  readonly arrivalMs?: number
  /** Milliseconds after which a connection is ended if no byte is sent or received. */
  readonly silentMs?: number
  /** Reports when the process is about to stop. By default no stop is reported. */
  readonly draining?: Draining
  /** The send page; none by default. */
  readonly sendPage?: SendPageOptions | undefined
  /** Contact for vulnerability reports; not published by default. */
  readonly securityText?: SecurityText | undefined
  /** The deprecated operations; by default those of the contract's registry. */
  readonly deprecations?: Deprecations
}

const PREFIX = '/transfer/v1'
const BODY_BYTES_MAX = 65_536
/**
 * Default time limit for the arrival of a request, in milliseconds. A body of 64 KiB arrives far sooner on any
 * connection, and a slower request only occupies resources.
 */
const ARRIVAL_MS = 15_000
/**
 * Default time limit of a silent connection, in milliseconds. No answer takes this long, and event streams send
 * heartbeats. Without the limit, the answers of a client that never reads them would occupy memory for ever.
 */
const SILENT_MS = 120_000
/**
 * Default limit of failed authentications. It is high enough for the retries of a deployment with a wrong key. Under
 * this limit, no key can be guessed, because a key's secret has 256 random bits.
 */
const FAILURE_LIMIT: RateLimitOptions = { perSecond: 1, burst: 60 }

const atOnce: AtEndOfTurn = (work) => work()

/** Creates the HTTP service, which isn't listening yet. */
export function createServer(d: HttpDependencies): FastifyInstance {
  const arrivalMs = d.arrivalMs ?? ARRIVAL_MS
  const app = fastify({
    logger: false,
    bodyLimit: BODY_BYTES_MAX,
    requestTimeout: arrivalMs,
    connectionTimeout: d.silentMs ?? SILENT_MS,
    // By default Node checks for slow requests only every 30 s, so a slow request could exceed the limit by 30 s.
    http: {
      connectionsCheckingInterval: Math.ceil(arrivalMs / 5),
      // The service, not Node, refuses a request without Host, so that the error has the form of all other errors.
      requireHostHeader: false,
    },
    ...(d.trustedProxies?.length ? { trustProxy: [...d.trustedProxies] } : {}),
    exposeHeadRoutes: false,
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    // This length exceeds any URL that Node accepts, so the router accepts every id. The id's length is checked after
    // authentication.
    routerOptions: { maxParamLength: BODY_BYTES_MAX },
    rewriteUrl: ({ url = '' }) => routableUrl(url),
    clientErrorHandler: (error, socket) => answerClientError(d.random, error, socket),
    genReqId: () => drawRequestId(d.random),
  })
  routeEverything(app.server, d.clock)
  // The framework's own parsers would drop duplicate members without an error, and would accept plain text.
  app.removeAllContentTypeParsers()
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    // This function and the hooks use no promises, because a promise takes longer than most of their work.
    (
      _request: FastifyRequest,
      text: string,
      done: (error: Error | null, body?: unknown) => void,
    ) => {
      let body: unknown
      try {
        body = text === '' ? undefined : parseStrictJson(text)
      } catch (error) {
        done(asError(error))
        return
      }
      done(null, body)
    },
  )
  registerDeprecations(app, d.deprecations ?? DEPRECATIONS)
  registerHooks(app, d)
  registerErrors(app, d.log)
  rememberMethods(app)
  const batcher = new ResponseBatcher(d.atEndOfTurn ?? atOnce)
  for (const one of ENDPOINTS) registerEndpoint(app, one, d.useCases, batcher)
  registerEventStream(app, d)
  registerLeafPages(app, d)
  app.get('/livez', WITH_HEAD, async () => ({ success: true }))
  app.get('/readyz', WITH_HEAD, async (request, reply) => {
    const isDraining = d.draining?.hasBegun === true
    const cause = isDraining ? 'the process is stopping' : await d.useCases.whyUnready()
    if (cause === undefined) return { success: true }
    // The error isn't thrown, because probes come every few seconds, and each probe would add an error to the log.
    const issues = [{ param: 'readiness', message: cause }]
    const error = new ServiceError('UPSTREAM_UNAVAILABLE', { issues })
    return reply.code(503).headers(errorHeaders(error)).send(errorBody(error, request.id))
  })
  registerDocs(app)
  registerSecurityText(app, d.clock, d.securityText)
  if (d.sendPage !== undefined) registerSendPage(app, d, d.sendPage)
  return app
}

/**
 * True if the decoded path is under the prefix. The path is decoded because the router also decodes paths. Without
 * decoding, `/%74ransfer` would bypass the gate.
 */
function isUnderPrefix({ url }: FastifyRequest): boolean {
  if (url.startsWith(`${PREFIX}/`)) return true
  const end = url.search(/[?#;]/)
  const path = decodeURIComponent(end < 0 ? url : url.slice(0, end))
  return path === PREFIX || path.startsWith(`${PREFIX}/`)
}

/**
 * True for a request about a payment out of a balance: its quote, which names the balance, its order, and its
 * signature. Refused requests count too, because a corrected request usually follows soon.
 */
function isAboutPayment({ routeOptions, body }: FastifyRequest): boolean {
  if (routeOptions.url?.startsWith(`${PREFIX}/payment`) === true) return true
  return typeof body === 'object' && body !== null && Object.hasOwn(body, 'balance')
}

/**
 * Registers the hooks. Authentication precedes routing, media type and size checks, so that a caller without a key sees
 * only 401.
 */
function registerHooks(app: FastifyInstance, d: HttpDependencies): void {
  const gate = createGate({ failureLimit: FAILURE_LIMIT, ...d })
  const slowBodies = new SlowBodies(d.clock, d.arrivalMs ?? ARRIVAL_MS, d.atEndOfTurn ?? atOnce)
  app.addHook('onClose', async () => slowBodies.stop())
  app.decorateRequest('caller', undefined)
  app.decorateRequest('startedMs', 0)
  app.decorateRequest('errorCode', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    slowBodies.watch(request.raw)
    request.startedMs = d.clock.nowMs()
    reply.header('x-request-id', request.id)
    reply.header('cache-control', 'no-store')
    reply.headers(ANSWER_HEADERS)
    if (d.draining?.hasBegun === true) reply.header('connection', 'close')
    if (!isUnderPrefix(request) || isPublic(request)) {
      done(requestFault(request))
      return
    }
    const enter = (caller: Caller) => {
      request.caller = caller
      done(requestFault(request))
    }
    let caller: MaybePromise<Caller>
    try {
      caller = gate(request, reply)
    } catch (error) {
      done(asError(error))
      return
    }
    if (isImmediate(caller)) enter(caller)
    else caller.then(enter, done)
  })
  // The log entry is written in `onSend`, because `onResponse` adds and removes listeners for each response.
  app.addHook('onSend', (request, reply, _payload, done) => {
    slowBodies.answered(request.raw)
    try {
      d.log.request({
        requestId: request.id,
        method: request.method,
        route: request.routeOptions.url ?? 'none',
        status: reply.statusCode,
        ms: d.clock.nowMs() - request.startedMs,
        code: request.errorCode,
        // A payment lands seconds after its quote. With the key's id, the log would show whose payment it is.
        keyId: isAboutPayment(request) ? undefined : request.caller?.keyId,
      })
    } catch {
      // The request was served, so its response is sent even if logging fails.
    }
    done()
  })
}
