import { ZodError } from 'zod'
import type { Chain, ChainListener } from '../chain/chain.ts'
import type { Batch } from '../chain/journal.ts'
import type { BlockAdvance } from '../chain/tip.ts'
import type { Faults } from '../faults/faults.ts'
import { parseJson, stringifyJson } from '../rpc/json.ts'
import { countParam, paramList } from '../rpc/params.ts'
import { INVALID_PARAMS, METHOD_NOT_FOUND, PARSE_ERROR, RpcError } from '../rpc/rpc-error.ts'
import type { SubscriptionKind } from './subscription.ts'
import { subscriptionKinds } from './subscription-kinds.ts'

interface Active {
  readonly kind: string
  readonly listener: Partial<ChainListener>
}

/** One client's subscriptions. */
export class SubscriberConnection implements ChainListener {
  readonly #services: { chain: Chain; faults: Faults }
  readonly #send: (text: string) => void
  readonly #active = new Map<number, Active>()
  #nextId = 1

  constructor(services: { chain: Chain; faults: Faults }, send: (text: string) => void) {
    this.#services = services
    this.#send = send
  }

  /** Handles a message. A message without an id is a client's keep-alive and gets no answer. */
  receive(text: string): void {
    let id: unknown = null
    try {
      const request = parseRequest(text)
      id = request.id
      if (id === undefined) return
      const result = this.#handle(request.method, request.params)
      this.#send(stringifyJson({ jsonrpc: '2.0', result, id }))
    } catch (error) {
      const { code, message } = asRpcError(error)
      this.#send(stringifyJson({ jsonrpc: '2.0', error: { code, message }, id }))
    }
  }

  onBlock(advance: BlockAdvance): void {
    for (const { listener } of [...this.#active.values()]) listener.onBlock?.(advance)
  }

  onBatch(batch: Batch): void {
    for (const { listener } of [...this.#active.values()]) listener.onBatch?.(batch)
  }

  #handle(method: string, params: unknown): unknown {
    for (const kind of subscriptionKinds) {
      if (method === `${kind.name}Subscribe`) return this.#subscribe(kind, params)
      if (method === `${kind.name}Unsubscribe`) return this.#unsubscribe(kind, params)
    }
    throw new RpcError(METHOD_NOT_FOUND, 'Method not found')
  }

  #subscribe(kind: SubscriptionKind, params: unknown): number {
    const id = this.#nextId
    const listener = kind.start(params, {
      chain: this.#services.chain,
      notify: (result) => this.#notify(kind.name, id, result),
      end: () => this.#active.delete(id),
    })
    this.#nextId += 1
    this.#active.set(id, { kind: kind.name, listener })
    return id
  }

  #unsubscribe(kind: SubscriptionKind, params: unknown): boolean {
    const [id] = paramList(countParam).parse(params)
    if (this.#active.get(id)?.kind !== kind.name) {
      throw new RpcError(INVALID_PARAMS, 'Invalid subscription id.')
    }
    return this.#active.delete(id)
  }

  #notify(kind: string, subscription: number, result: unknown): void {
    if (this.#services.faults.drawLostNotification()) return
    const params = { result, subscription }
    this.#send(stringifyJson({ jsonrpc: '2.0', method: `${kind}Notification`, params }))
  }
}

function parseRequest(text: string): { id?: unknown; method: string; params?: unknown } {
  const request = parseJson(text)
  if (typeof request === 'object' && request !== null && 'method' in request) {
    return { ...request, method: String(request.method) }
  }
  throw new RpcError(PARSE_ERROR, 'Parse error')
}

function asRpcError(error: unknown): RpcError {
  if (error instanceof RpcError) return error
  if (error instanceof ZodError) return new RpcError(INVALID_PARAMS, 'Invalid params')
  return new RpcError(PARSE_ERROR, 'Parse error')
}
