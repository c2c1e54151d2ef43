import { createDefaultRpcTransport, type RpcTransport } from '@solana/kit'

/** What is known of one node. Its place in the list is all that is ever said of it: URLs hold keys. */
export interface RpcNode {
  readonly place: number
  readonly transport: RpcTransport
  /** The slot that it last said it had confirmed. */
  slot: bigint | undefined
  /** Its cluster's genesis hash, once it told. */
  genesis: string | undefined
  /** Failures since its last answer. */
  failures: number
  /** Until then, milliseconds since 1970, others are asked first. */
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

/** Asks a node where it stands. @throws Error where it doesn't say. */
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
