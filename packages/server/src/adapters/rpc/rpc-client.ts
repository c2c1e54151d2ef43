import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { systemClock } from '../clock/system-clock.ts'
import { readTransport } from './read-transport.ts'
import { RpcNodes, type RpcNodesOptions } from './rpc-nodes.ts'
import { sendTransport } from './send-transport.ts'

export type ChainRpc = Rpc<SolanaRpcApi>

/**
 * An RPC client. Each request ends after a few tries. With several nodes of one cluster, each request goes to the first
 * node that works and doesn't lag, and a transaction goes to several of them.
 */
export function createRpcClient(of: string | RpcNodesOptions): ChainRpc {
  const options = typeof of === 'string' ? { urls: [of], lagSlots: 0, clock: systemClock } : of
  const nodes = new RpcNodes(options)
  const read = readTransport(nodes, options.clock)
  const send = sendTransport(nodes, options.clock)
  return createSolanaRpcFromTransport(async (request) => {
    const { method } = request.payload as { readonly method?: unknown }
    const isSent = method === 'sendTransaction' && options.urls.length > 1
    const ask = () => (isSent ? send(request) : read(request))
    const { observer } = options
    return (await (observer === undefined ? ask() : observer.around(String(method), ask))) as never
  })
}
