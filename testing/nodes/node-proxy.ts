import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SeededRandom } from '../../sim/time/seeded-random.ts'

/** A JSON-RPC request as a node sees it. */
export interface Asked {
  readonly id: unknown
  readonly method: string
  readonly params: readonly unknown[]
}

/** A way in which a faulty node treats a request. */
export type Misdeed =
  | {
      readonly kind: 'status'
      readonly status: number
      readonly headers?: Readonly<Record<string, string>>
      readonly body?: string
    }
  /** A JSON-RPC error with HTTP status 200. */
  | { readonly kind: 'error'; readonly code: number; readonly message: string }
  /** The node closes the connection before it answers. */
  | { readonly kind: 'reset' }
  /** The node never answers. */
  | { readonly kind: 'hang' }
  /** The proxy answers, and doesn't forward the request to the node. */
  | { readonly kind: 'invent'; readonly result: (asked: Asked) => unknown }
  /** The proxy changes the node's result. */
  | { readonly kind: 'change'; readonly result: (found: unknown, asked: Asked) => unknown }

/** A node's fault: it affects a share of the requests with certain methods. */
export interface Fault {
  readonly misdeed: Misdeed
  /** The affected methods; undefined for all methods. */
  readonly methods?: readonly string[]
  /** The percentage of these requests that the fault affects; 100 if undefined. */
  readonly percent?: number
}

/** A proxy for the RPC of any cluster, with faults that can be turned on and off. */
export interface NodeProxy {
  readonly url: string
  /** Replaces the faults. If several faults apply to a request, the first of these faults is used. */
  readonly suffer: (...faults: readonly Fault[]) => void
  /** Number of requests that faults have affected so far. */
  readonly misdeeds: () => number
  /** Number of requests so far, by method. */
  readonly asked: () => ReadonlyMap<string, number>
  readonly stop: () => Promise<void>
}

const JSON_TYPE = { 'Content-Type': 'application/json' }

async function bodyOf(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString()
}

/**
 * Starts a proxy on a free port. If a fault affects only a share of the requests, the seed determines which requests
 * these are.
 */
export async function startNodeProxy(target: string, seed = 'node'): Promise<NodeProxy> {
  const random = new SeededRandom(seed)
  let faults: readonly Fault[] = []
  let misdeeds = 0
  const counts = new Map<string, number>()

  const ask = async (body: string) => {
    const answer = await fetch(target, { method: 'POST', headers: JSON_TYPE, body })
    return { status: answer.status, text: await answer.text() }
  }

  const misdeedOf = ({ method }: Asked): Misdeed | undefined =>
    faults.find(
      ({ methods, percent = 100 }) =>
        (methods === undefined || methods.includes(method)) && random.below(100) < percent,
    )?.misdeed

  const misbehave = async (
    response: ServerResponse,
    misdeed: Misdeed,
    asked: Asked,
    body: string,
  ): Promise<void> => {
    const reply = (rest: object) =>
      void response
        .writeHead(200, JSON_TYPE)
        .end(JSON.stringify({ jsonrpc: '2.0', ...rest, id: asked.id }))
    switch (misdeed.kind) {
      case 'status':
        return void response.writeHead(misdeed.status, misdeed.headers).end(misdeed.body)
      case 'error':
        return reply({ error: { code: misdeed.code, message: misdeed.message } })
      case 'reset':
        return void response.destroy()
      case 'hang':
        return
      case 'invent':
        return reply({ result: misdeed.result(asked) })
      case 'change': {
        const { result } = JSON.parse((await ask(body)).text) as { result: unknown }
        return reply({ result: misdeed.result(result, asked) })
      }
    }
  }

  const server = createServer((request, response) => {
    bodyOf(request)
      .then(async (body) => {
        const asked = JSON.parse(body) as Asked
        counts.set(asked.method, (counts.get(asked.method) ?? 0) + 1)
        const misdeed = misdeedOf(asked)
        if (misdeed !== undefined) {
          misdeeds += 1
          return misbehave(response, misdeed, asked, body)
        }
        const { status, text } = await ask(body)
        return void response.writeHead(status, JSON_TYPE).end(text)
      })
      .catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    suffer: (...next) => void (faults = next),
    misdeeds: () => misdeeds,
    asked: () => new Map(counts),
    stop: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
