/** Thrown if tracing is configured but its optional libraries aren't installed. */
export class OtelMissingError extends Error {
  override readonly name = 'OtelMissingError'
}

async function load() {
  const [api, trace, resources, contexts, exporter] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace-base'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/context-async-hooks'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ])
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace: spans } = api
  const { BasicTracerProvider, BatchSpanProcessor } = trace
  const { ParentBasedSampler, TraceIdRatioBasedSampler } = trace
  return {
    ...{ ROOT_CONTEXT, SpanKind, SpanStatusCode, spans },
    ...{ BasicTracerProvider, BatchSpanProcessor, ParentBasedSampler, TraceIdRatioBasedSampler },
    resourceFromAttributes: resources.resourceFromAttributes,
    AsyncLocalStorageContextManager: contexts.AsyncLocalStorageContextManager,
    OTLPTraceExporter: exporter.OTLPTraceExporter,
  }
}

/** The parts of OpenTelemetry that this service uses. */
export type Otel = Awaited<ReturnType<typeof load>>
export type Tracer = ReturnType<InstanceType<Otel['BasicTracerProvider']>['getTracer']>
export type Contexts = InstanceType<Otel['AsyncLocalStorageContextManager']>

/** Loads the libraries. @throws OtelMissingError if a package isn't installed. */
export async function loadOtel(): Promise<Otel> {
  try {
    return await load()
  } catch (cause) {
    const advice = 'install the optional dependencies, or remove SOTTO_TRACING_URL'
    throw new OtelMissingError(`tracing needs the packages of OpenTelemetry; ${advice}`, { cause })
  }
}
