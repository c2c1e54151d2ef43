import type { TransferRpc } from './transfer-context.ts'

type Method = (...args: unknown[]) => { send: (options?: object) => Promise<unknown> }

/**
 * The node, with a signal that ends each request. Otherwise a node that never answers would block the transfer for
 * ever.
 */
export function abortableNode(rpc: TransferRpc, abortSignal: AbortSignal | undefined): TransferRpc {
  if (abortSignal === undefined) return rpc
  return new Proxy(rpc, {
    get: (node, name) => {
      const method = Reflect.get(node, name) as Method | undefined
      if (typeof method !== 'function') return method
      return (...args: unknown[]) => {
        const request = method.apply(node, args)
        return { send: (options?: object) => request.send({ abortSignal, ...options }) }
      }
    },
  })
}
