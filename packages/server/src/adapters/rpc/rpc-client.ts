import { createSolanaRpcFromTransport, type Rpc, type SolanaRpcApi } from '@solana/kit'
import { systemClock } from '../clock/system-clock.ts'
import { patiently } from './patience.ts'
import { readTransport, SLOW_METHODS, witnessTransport } from './read-transport.ts'
import { RpcNodes, type RpcNodesOptions } from './rpc-nodes.ts'
import { sendTransport } from './send-transport.ts'

export type ChainRpc = Rpc<SolanaRpcApi>

/** Clients that share the same nodes. */
export interface RpcClients {
  readonly rpc: ChainRpc
  /** One client for each node, to compare the nodes' answers; empty if there is only one node. */
  readonly witnesses: readonly ChainRpc[]
}

/**
 * Creates an RPC client. Each request ends after a few tries. With several nodes, each request goes to the first node
 * that works and doesn't lag, and a transaction goes to several nodes at once. If there are nodes for sending, a
 * transaction goes to all of them, and to no other node.
 */
export const createRpcClient = (
  of: string | RpcNodesOptions,
  sending?: RpcNodesOptions,
): ChainRpc => createRpcClients(of, sending).rpc

/** Creates the client of all nodes together, and a client of each node. */
export function createRpcClients(
  of: string | RpcNodesOptions,
  sending?: RpcNodesOptions,
): RpcClients {
  const options = typeof of === 'string' ? { urls: [of], lagSlots: 0, clock: systemClock } : of
  const nodes = new RpcNodes(options)
  const read = readTransport(nodes, options.clock)
  const isApart = sending !== undefined
  const senders = isApart ? new RpcNodes({ ...sending, isSendOnly: true }) : nodes
  const send = sendTransport(senders, options.clock, sending?.urls.length)
  const { patience, clock } = options
  const persist = patience && patiently(nodes, patience, clock)
  const rpc = createSolanaRpcFromTransport(async (request) => {
    const { method } = request.payload as { readonly method?: unknown }
    const isSent = method === 'sendTransaction' && (isApart || options.urls.length > 1)
    const once = () => (isSent ? send(request) : read(request))
    // No caller depends on a list of accounts, and some nodes always refuse to send such a list. So the client doesn't
    // wait for it.
    const isPatient = persist !== undefined && !SLOW_METHODS.has(method)
    const ask = () => (isPatient ? persist(String(method), once) : once())
    const { observer } = options
    return (await (observer === undefined ? ask() : observer.around(String(method), ask))) as never
  })
  const lists = options.urls.length > 1 ? nodes.apart() : []
  const witnesses = lists.map((list) => {
    const ask = witnessTransport(list)
    return createSolanaRpcFromTransport(async (request) => (await ask(request)) as never)
  })
  return { rpc, witnesses }
}
