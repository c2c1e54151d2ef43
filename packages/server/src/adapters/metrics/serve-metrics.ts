import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Registry } from 'prom-client'
import { carriesToken, operatorStatus, type OperatorStatusSource } from './operator-status.ts'

/**
 * Headers of every response. They forbid browsers to guess the content type and to run scripts. The console sets its
 * own headers.
 */
const ANSWER_HEADERS = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
}

interface MetricsParts extends OperatorStatusSource {
  readonly registry: Registry
  /** True if the process does its work: see `/readyz`. */
  readonly isReady: () => boolean
  /** The bearer token that `/operator` requires. */
  readonly operatorToken: string
  /**
   * Answers a request for the console and returns true; returns false for any other request. Undefined if there is no
   * console.
   */
  readonly console?: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined
}

const NOT_READY = 'the worker has not followed the chain to its newest block yet'

/**
 * Serves `/livez`, `/readyz`, `/metrics` and `/operator` on a separate port. The port must be reachable only from a
 * private network. Metrics need no token. The operator's JSON needs the token, because it contains balances. Balances
 * reveal how much money an attacker must use up to stop the service.
 */
export async function serveMetrics(
  parts: MetricsParts,
  host: string,
  port: number,
): Promise<Server> {
  const server = createServer((request, response) => {
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) response.setHeader(name, value)
    // Some request targets, for example `//`, aren't valid URLs.
    if (!URL.canParse(request.url ?? '', 'http://metrics')) {
      response.writeHead(404).end()
      return
    }
    if (parts.console?.(request, response) === true) return
    const answer = (status: number, type: string, text: string) =>
      response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(text)
    if (request.url === '/livez') {
      // `/livez` doesn't wait for the database, unlike `/metrics`. Otherwise an outage of the database would restart
      // the process.
      answer(200, 'application/json', '{"success":true}')
    } else if (request.url === '/readyz') {
      if (parts.isReady()) answer(200, 'application/json', '{"success":true}')
      else answer(503, 'application/json', JSON.stringify({ success: false, error: NOT_READY }))
    } else if (request.url === '/metrics') {
      // A metric that can't be collected must not end the process.
      parts.registry.metrics().then(
        (text) => answer(200, parts.registry.contentType, text),
        () => response.writeHead(500).end(),
      )
    } else if (request.url !== '/operator') {
      response.writeHead(404).end()
    } else if (!carriesToken(request.headers.authorization, parts.operatorToken)) {
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    } else {
      operatorStatus(parts).then(
        (status) => answer(200, 'application/json', JSON.stringify(status)),
        () => response.writeHead(500).end(),
      )
    }
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
  return server
}
