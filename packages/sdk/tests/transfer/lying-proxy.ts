import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Asked {
  readonly method: string
  readonly path: string
  readonly body: string
}

export interface Answered {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** Returns the response that replaces the honest response. It may request the honest response first. */
export type Lie = (asked: Asked, honest: () => Promise<Answered>) => Promise<Answered>

export interface LyingProxy {
  readonly url: string
  /** If undefined, the proxy passes everything on unchanged. */
  lie: Lie | undefined
  readonly stop: () => Promise<void>
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request as AsyncIterable<Buffer>) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

/** Starts a proxy between the client and a real service. The proxy can respond in place of the service. */
export async function startLyingProxy(target: string): Promise<LyingProxy> {
  const proxy = { lie: undefined as Lie | undefined }
  const server = createServer((request, response) => {
    const answer = async () => {
      const { method = 'GET', url: path = '/', headers } = request
      const asked = { method, path, body: await bodyOf(request) }
      const honest = async (): Promise<Answered> => {
        const passedOn = Object.entries(headers).filter(([name]) =>
          ['authorization', 'content-type', 'x-idempotency-key'].includes(name),
        )
        const answered = await fetch(target + path, {
          method,
          headers: Object.fromEntries(passedOn) as Record<string, string>,
          ...(asked.body === '' ? {} : { body: asked.body }),
        })
        return { status: answered.status, body: (await answered.json()) as Answered['body'] }
      }
      const { status, body } = await (proxy.lie === undefined ? honest() : proxy.lie(asked, honest))
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    answer().catch((error: unknown) => response.destroy(error as Error))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(proxy, {
    url: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  })
}

/** Responds to all requests for quotes with the first quote, and to all requests for orders with the first order. */
export function repeatingTheFirst(): Lie {
  const first = new Map<string, Promise<Answered>>()
  return (asked, honest) => {
    const { method, path } = asked
    if (method !== 'POST' || !/\/(quote|order)$/.test(path)) return honest()
    const known = first.get(path)
    if (known !== undefined) return known
    const answer = honest()
    first.set(path, answer)
    return answer
  }
}

/** A lie that reports this status for every order. */
export const claiming =
  (status: string, final = true): Lie =>
  async (asked, honest) => {
    const answered = await honest()
    if (!/\/(status\/[^/]+|deposit)$/.test(asked.path)) return answered
    const order = answered.body['order'] as object
    return { ...answered, body: { ...answered.body, order: { ...order, status, final } } }
  }
