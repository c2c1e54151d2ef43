import type { FastifyInstance } from 'fastify'
import type { Tracing } from '../../ports/tracing.ts'
import { loadOtel, type Otel } from './load-otel.ts'
import { traceRequests } from './trace-requests.ts'
import { traceSteps } from './trace-steps.ts'

export interface TracingOptions {
  /** The collector's URL, without `/v1/traces`. */
  readonly url: string
  readonly authorization: string | undefined
  /** The percentage of traces that are sent. */
  readonly percent: number
  readonly version: string
  readonly roles: string
  /** Called if spans couldn't be sent to the collector. */
  readonly failed: (error: unknown) => void
}

export interface RunningTracing extends Tracing {
  /** Traces the requests of a server. Must be called before the server listens. */
  readonly requests: (app: FastifyInstance) => void
  /** Sends the remaining spans, and stops tracing. */
  readonly stop: () => Promise<void>
}

/**
 * Time limit for sending spans. A collector on the same network needs less time. Spans that the collector
 * hasn't accepted by then are lost.
 */
const HAND_OVER_MS = 5_000
const EVERY_MS = 2_000
const HUNDRED = 100

function openProvider(otel: Otel, options: TracingOptions) {
  const { url, authorization, percent, version, roles, failed } = options
  const inner = new otel.OTLPTraceExporter({
    url: `${url.replace(/\/+$/, '')}/v1/traces`,
    ...(authorization === undefined ? {} : { headers: { authorization } }),
    timeoutMillis: HAND_OVER_MS,
  })
  const exporter: typeof inner = Object.assign(Object.create(inner) as typeof inner, {
    export: (...[spans, done]: Parameters<typeof inner.export>) =>
      inner.export(spans, (result) => {
        if (result.code !== 0) failed(result.error)
        done(result)
      }),
  })
  const attributes = { 'service.name': 'sotto', 'service.version': version, 'sotto.roles': roles }
  return new otel.BasicTracerProvider({
    // Only these attributes are sent. They contain nothing about the machine or the environment.
    resource: otel.resourceFromAttributes(attributes),
    sampler: new otel.ParentBasedSampler({
      root: new otel.TraceIdRatioBasedSampler(percent / HUNDRED),
    }),
    spanProcessors: [
      new otel.BatchSpanProcessor(exporter, {
        scheduledDelayMillis: EVERY_MS,
        exportTimeoutMillis: HAND_OVER_MS,
      }),
    ],
  })
}

/**
 * Sends the durations of requests and settlements to a collector, by OTLP over HTTP. The libraries are loaded only
 * here. They aren't registered globally, so spans of other libraries aren't sent. Request headers aren't read. So a
 * trace has a random id and can't be linked to the client's traces.
 *
 * @throws OtelMissingError if the libraries aren't installed.
 */
export async function openTracing(options: TracingOptions): Promise<RunningTracing> {
  const otel = await loadOtel()
  const provider = openProvider(otel, options)
  const tracer = provider.getTracer('sotto')
  const contexts = new otel.AsyncLocalStorageContextManager().enable()
  return {
    within: traceSteps(otel, tracer, contexts),
    requests: (app) => traceRequests(otel, tracer, contexts, app),
    stop: async () => {
      await provider.shutdown().catch(options.failed)
      contexts.disable()
    },
  }
}
