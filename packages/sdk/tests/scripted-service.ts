import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

/** The server's next action: a status with a body, a broken connection, or no response. */
export type Answer =
  | { readonly status: number; readonly body: unknown; readonly headers?: Record<string, string> }
  | 'cut'
  | 'silence'

export interface ScriptedService {
  readonly baseUrl: string
  readonly received: Received[]
  readonly stop: () => Promise<void>
}

/** An HTTP server that gives these responses, one for each request, and records the requests. */
export async function startScriptedService(answers: readonly Answer[]): Promise<ScriptedService> {
  const received: Received[] = []
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const { method = '', url = '', headers } = request
      const answer = answers[received.length] ?? { status: 500, body: 'no answer left' }
      received.push({ method, url, headers, body })
      if (answer === 'silence') return
      if (answer === 'cut') return void request.socket.destroy()
      const text = typeof answer.body === 'string' ? answer.body : JSON.stringify(answer.body)
      response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
      response.end(text)
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: `http://127.0.0.1:${port}`,
    received,
    stop: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}
