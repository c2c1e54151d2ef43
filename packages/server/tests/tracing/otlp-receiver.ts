import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

interface Attribute {
  readonly key: string
  readonly value: { readonly stringValue?: string; readonly intValue?: number }
}

/** A span in OTLP's JSON, with only the members that the tests check. */
export interface ReceivedSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly attributes: readonly Attribute[]
  readonly status?: { readonly code?: number; readonly message?: string }
  readonly events?: readonly object[]
}

interface Body {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] }
    readonly scopeSpans: readonly { readonly spans: readonly ReceivedSpan[] }[]
  }[]
}

export interface OtlpReceiver {
  readonly url: string
  readonly spans: ReceivedSpan[]
  /** All received bodies, unchanged. */
  readonly bodies: string[]
  readonly headers: Record<string, unknown>[]
  readonly stop: () => Promise<void>
}

/** Starts a collector that receives traces by OTLP over HTTP in JSON. */
export async function startOtlpReceiver(): Promise<OtlpReceiver> {
  const [spans, bodies, headers]: [ReceivedSpan[], string[], Record<string, unknown>[]] = [
    [],
    [],
    [],
  ]
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const isTraces = request.method === 'POST' && request.url === '/v1/traces'
      if (!isTraces || request.headers['content-type'] !== 'application/json') {
        response.writeHead(400).end()
        return
      }
      bodies.push(body)
      headers.push(request.headers)
      const { resourceSpans } = JSON.parse(body) as Body
      for (const { scopeSpans } of resourceSpans) {
        for (const scope of scopeSpans) spans.push(...scope.spans)
      }
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"partialSuccess":{}}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    ...{ spans, bodies, headers },
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
