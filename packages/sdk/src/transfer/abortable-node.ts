import type { TransferRpc } from './transfer-context.ts'

type Method = (...args: unknown[]) => { send: (options?: object) => Promise<unknown> }

/**
 * Wraps the node so that the signal aborts each request. Without this wrapper, a node that never responds would block
 * the transfer forever.
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
