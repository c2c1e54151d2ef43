import { setTimeout as sleep } from 'node:timers/promises'
import type { RpcMethod, RpcScope } from './method.ts'
import {
  INTERNAL_ERROR,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  NODE_UNHEALTHY,
  PARSE_ERROR,
  RpcError,
} from './rpc-error.ts'
import { parseJson, stringifyJson } from './json.ts'

/** The HTTP response. The body is empty if the request was a notification. */
export interface RpcReply {
  readonly status: number
  readonly body: string
}

type Services = Omit<RpcScope, 'lag'>

/** Answers JSON-RPC requests, single or batched. */
export class Dispatcher {
  readonly #methods: ReadonlyMap<string, RpcMethod>
  readonly #services: Services
  readonly #onInternalError: (error: unknown) => void

  /** `onInternalError` receives the unexpected errors. For these, the client gets only "Internal error". */
  constructor(
    methods: readonly RpcMethod[],
    services: Services,
    onInternalError: (error: unknown) => void,
  ) {
    this.#onInternalError = onInternalError
    this.#methods = new Map(methods.map((method) => [method.name, method]))
    this.#services = services
  }

  async reply(text: string): Promise<RpcReply> {
    let request: unknown
    try {
      request = parseJson(text)
    } catch {
      return { status: 200, body: renderError(null, new RpcError(PARSE_ERROR, 'Parse error')) }
    }
    if (!Array.isArray(request)) return this.#answer(request)
    const replies = await Promise.all(request.map((each) => this.#answer(each)))
    const outage = replies.find((reply) => reply.status !== 200)
    if (outage !== undefined) return outage
    const bodies = replies.flatMap((reply) => (reply.body === '' ? [] : [reply.body]))
    return { status: 200, body: bodies.length === 0 ? '' : `[${bodies.join(',')}]` }
  }

  async #answer(request: unknown): Promise<RpcReply> {
    if (!isRequest(request)) {
      return {
        status: 200,
        body: renderError(null, new RpcError(INVALID_REQUEST, 'Invalid request')),
      }
    }
    const id = request.id
    try {
      const fault = this.#services.faults.draw(request.method)
      if (fault.delayMs > 0) await sleep(fault.delayMs)
      if (fault.error === 'http503') return { status: 503, body: 'Service Unavailable' }
      if (fault.error === 'unhealthy') throw unhealthy()
      const method = this.#methods.get(request.method)
      if (method === undefined) throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
      const scope = { ...this.#services, lag: fault.lagBlocks }
      const result = await method.call(request.params, scope)
      if (id === undefined) return { status: 200, body: '' }
      return { status: 200, body: stringifyJson({ jsonrpc: '2.0', result: result ?? null, id }) }
    } catch (error) {
      if (!(error instanceof RpcError)) this.#onInternalError(error)
      if (id === undefined) return { status: 200, body: '' }
      return { status: 200, body: renderError(id, error) }
    }
  }
}

function isRequest(value: unknown): value is { id?: unknown; method: string; params?: unknown } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'method' in value &&
    typeof value.method === 'string'
  )
}

function unhealthy(): RpcError {
  return new RpcError(NODE_UNHEALTHY, 'Node is unhealthy', { numSlotsBehind: null })
}

function renderError(id: unknown, error: unknown): string {
  const { code, message, data } =
    error instanceof RpcError ? error : new RpcError(INTERNAL_ERROR, 'Internal error')
  return stringifyJson({ jsonrpc: '2.0', error: { code, message, data }, id })
}
