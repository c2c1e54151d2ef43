import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Received {
  readonly headers: Record<string, string>
  readonly body: string
  readonly path: string
}

/** A partner's endpoint: a real HTTP server that stores the messages it receives. */
export interface Receiver {
  readonly url: string
  readonly port: number
  readonly received: Received[]
  /** The endpoint's response to later messages: a status, or no response. */
  answer: number | 'never'
  readonly close: () => Promise<void>
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request.setEncoding('utf8')) text += chunk as string
  return text
}

/** Starts a receiver on this machine. Redirects point to `location`. */
export async function startReceiver(location = '/elsewhere'): Promise<Receiver> {
  const received: Received[] = []
  const server: Server = createServer((request, response) => {
    void textOf(request).then((body) => {
      const headers = request.headers as Record<string, string>
      received.push({ headers, body, path: request.url ?? '' })
      if (receiver.answer === 'never') return
      response.writeHead(receiver.answer, { location })
      // The body is far longer than any client should read.
      response.end('x'.repeat(1_000_000))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const receiver: Receiver = {
    ...{ url: `http://127.0.0.1:${port}/hook`, port, received, answer: 204 },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
  return receiver
}
