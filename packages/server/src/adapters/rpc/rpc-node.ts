import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'

/** The state of one node. Only its index in the list is ever reported, because URLs contain keys. */
export interface RpcNode {
  readonly place: number
  readonly transport: RpcTransport
  /** The last confirmed slot that it reported. */
  slot: bigint | undefined
  /** Its cluster's genesis hash, once it reported that. */
  genesis: string | undefined
  /** Failures since its last answer. */
  failures: number
  /** The time until which others are asked first, milliseconds since 1970. */
  restsUntilMs: number
}

export function rpcNode(url: string, place: number): RpcNode {
  return {
    ...{ place, transport: createDefaultRpcTransport({ url }) },
    ...{ slot: undefined, genesis: undefined, failures: 0, restsUntilMs: 0 },
  }
}

const PROBE_MS = 2_000

async function call(node: RpcNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const payload = { jsonrpc: '2.0', id: 'probe', method, params }
  const signal = AbortSignal.timeout(PROBE_MS)
  const answer: { readonly result?: unknown } = await node.transport({ payload, signal })
  return answer.result
}

/** Asks a node for its slot and cluster. @throws Error if it doesn't answer. */
export async function probe(node: RpcNode): Promise<void> {
  if (node.genesis === undefined) {
    const genesis = await call(node, 'getGenesisHash', [])
    if (typeof genesis !== 'string') throw new Error('a node that names no cluster')
    node.genesis = genesis
  }
  const slot = await call(node, 'getSlot', [{ commitment: 'confirmed' }])
  if (typeof slot !== 'bigint' && typeof slot !== 'number') throw new Error('a node without a slot')
  node.slot = BigInt(slot)
}
