import type { Tracing } from '../../ports/tracing.ts'
import { shownError } from '../log/shown-error.ts'
import type { Contexts, Otel, Tracer } from './load-otel.ts'

/**
 * Records steps as spans. A span contains the step's name and duration. If the step fails, it also contains the error's
 * kind.
 */
export function traceSteps(otel: Otel, tracer: Tracer, contexts: Contexts): Tracing['within'] {
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, spans } = otel
  return async (name, detail, work) => {
    const isRoot = name === 'settle'
    const around = isRoot ? ROOT_CONTEXT : contexts.active()
    // If a request to a node doesn't belong to a trace, it comes from background work. Several such requests are sent
    // per second, so they aren't traced.
    if (!isRoot && spans.getSpan(around) === undefined) return work()
    const kind = name === 'rpc' ? SpanKind.CLIENT : SpanKind.INTERNAL
    const attributes = name === 'rpc' ? { 'rpc.system': 'jsonrpc', 'rpc.method': detail } : {}
    const span = tracer.startSpan(`${name} ${detail}`, { kind, attributes }, around)
    try {
      return await contexts.with(spans.setSpan(around, span), work)
    } catch (error) {
      const { kind: type } = shownError(error) as { kind: string }
      span.setAttribute('error.type', type).setStatus({ code: SpanStatusCode.ERROR })
      throw error
    } finally {
      span.end()
    }
  }
}
