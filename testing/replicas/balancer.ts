import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'undici'
import { Tally } from './tally.ts'

/**
 * A reverse proxy, as in production. It forwards each request to the next ready replica, over persistent connections.
 * It never repeats a request. If a replica doesn't answer, the client gets 502.
 */
export interface Balancer {
  readonly url: string
  /** The answers that clients received, counted by replica. */
  readonly tally: Tally
  /** True if the balancer currently sends requests to the replica. */
  readonly isUp: (replica: string) => boolean
  readonly stop: () => Promise<void>
}

export interface Backend {
  readonly name: string
  readonly url: string
}

/**
 * Interval of health checks. The shortest drain that can be configured is one second, and several checks fit into it.
 */
const PROBE_MS = 200
const PROBE_WITHIN_MS = 1_000
const CONNECTIONS = 64
/**
 * The time for which the balancer keeps an idle connection. It is shorter than the service's keep-alive timeout, so
 * that the service never closes a connection while the balancer sends a request over it.
 */
const KEEP_ALIVE_MS = 20_000

/** Hop-by-hop headers: RFC 9110, section 7.6.1. */
const HOP_BY_HOP = new Set(['connection', 'keep-alive', 'transfer-encoding', 'te', 'upgrade'])

type Headers = Record<string, string | string[]>

function carried(headers: NodeJS.Dict<string | string[]>): Headers {
  const kept: Headers = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !HOP_BY_HOP.has(name)) kept[name] = value
  }
  return kept
}

/** One replica: its connections, and whether its last health check succeeded. */
class Upstream {
  readonly name: string
  readonly pool: Pool
  isUp = false

  constructor({ name, url }: Backend) {
    this.name = name
    this.pool = new Pool(url, {
      connections: CONNECTIONS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Disables the timeout, because a stream may be silent for longer than the default.
      bodyTimeout: 0,
    })
  }

  async probe(): Promise<void> {
    try {
      const signal = AbortSignal.timeout(PROBE_WITHIN_MS)
      const { statusCode, body } = await this.pool.request({
        ...{ path: '/readyz', method: 'GET', signal },
      })
      await body.dump()
      this.isUp = statusCode === 200
    } catch {
      this.isUp = false
    }
  }
}

class Rotation {
  readonly upstreams: readonly Upstream[]
  #next = 0

  constructor(backends: readonly Backend[]) {
    this.upstreams = backends.map((one) => new Upstream(one))
  }

  /** The next ready replica; undefined if there is none. */
  take(): Upstream | undefined {
    for (let tried = 0; tried < this.upstreams.length; tried += 1) {
      const upstream = this.upstreams[this.#next % this.upstreams.length]
      this.#next += 1
      if (upstream?.isUp === true) return upstream
    }
    return undefined
  }
}

async function pass(
  upstream: Upstream,
  request: IncomingMessage,
  response: ServerResponse,
  tally: Tally,
): Promise<void> {
  const startedMs = performance.now()
  const leaving = new AbortController()
  response.once('close', () => leaving.abort())
  try {
    const answer = await upstream.pool.request({
      path: request.url ?? '/',
      method: request.method as 'GET',
      headers: { ...carried(request.headers), 'x-forwarded-for': '127.0.0.1' },
      body: request.method === 'GET' ? null : request,
      signal: leaving.signal,
    })
    tally.answered(upstream.name, answer.statusCode, performance.now() - startedMs)
    response.writeHead(answer.statusCode, carried(answer.headers))
    for await (const part of answer.body) response.write(part)
    response.end()
  } catch (error) {
    if (leaving.signal.aborted && !response.headersSent) {
      tally.left(upstream.name, request)
    } else if (!response.headersSent) {
      tally.broken(upstream.name, request, error)
      response.writeHead(502).end()
    } else if (!response.writableEnded) {
      if (!leaving.signal.aborted) tally.cut(upstream.name, request, error)
      response.destroy()
    }
  }
}

/** Starts the balancer. A replica that starts later receives requests as soon as it is ready. */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const rotation = new Rotation(backends)
  const tally = new Tally()
  const stopping = new AbortController()
  const probing = rotation.upstreams.map(async (upstream) => {
    while (!stopping.signal.aborted) {
      await upstream.probe()
      await sleep(PROBE_MS)
    }
  })
  const server = createServer((request, response) => {
    const upstream = rotation.take()
    if (upstream !== undefined) return void pass(upstream, request, response, tally)
    tally.broken('the balancer', request, new Error('no replica is ready'))
    response.writeHead(503).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    tally,
    isUp: (replica) => rotation.upstreams.some(({ name, isUp }) => name === replica && isUp),
    stop: async () => {
      stopping.abort()
      await Promise.all(probing)
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await Promise.all(rotation.upstreams.map(({ pool }) => pool.destroy()))
    },
  }
}
