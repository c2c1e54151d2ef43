import type { RpcTransport } from '@solana/kit'
import { rateLimitOf, type RequestPace } from '@sotto/protocol'
import { RemoteError } from '../remote/remote-error.ts'
import { nodeTransport } from './node-transport.ts'

/** The state of one node. Reports identify a node only by its index in the list, because URLs may contain keys. */
export interface RpcNode {
  readonly place: number
  readonly transport: RpcTransport
  /** Delays requests so that the node's rate limits are kept. */
  readonly pace: RequestPace
  /** The last confirmed slot that the node reported. */
  slot: bigint | undefined
  /** The genesis hash of the node's cluster; undefined until the node has reported it. */
  genesis: string | undefined
  /** True while the node belongs to another cluster than the other nodes. */
  isForeign: boolean
  /** Number of failures since the node's last answer. */
  failures: number
  /** A failed node is asked last until this time, in milliseconds since 1970. */
  restsUntilMs: number
}

export function rpcNode(url: string, place: number, pace: RequestPace): RpcNode {
  return {
    ...{ place, transport: nodeTransport(url), pace },
    ...{ slot: undefined, genesis: undefined, isForeign: false, failures: 0, restsUntilMs: 0 },
  }
}

const PROBE_MS = 2_000

async function call(node: RpcNode, method: string, params: readonly unknown[]): Promise<unknown> {
  const payload = { jsonrpc: '2.0', id: 'probe', method, params }
  // A node that demands a longer pause than `PROBE_MS` isn't probed.
  if (node.pace.waitMs(method) > PROBE_MS) throw new RemoteError('rpc', 'rate_limited')
  const sentAtMs = await node.pace.turn(method)
  const signal = AbortSignal.timeout(PROBE_MS)
  const heard = (outcome: unknown): void => {
    const limit = rateLimitOf(outcome)
    if (limit !== undefined) node.pace.limited(method, sentAtMs, limit)
  }
  try {
    const answer: { readonly result?: unknown } = await node.transport({ payload, signal })
    // Some nodes refuse with status 200.
    heard(answer)
    return answer.result
  } catch (error) {
    heard(error)
    throw error
  }
}

/** Asks a node for the genesis hash of its cluster. @throws Error if the node doesn't answer. */
export async function readGenesis(node: RpcNode): Promise<string> {
  const genesis = await call(node, 'getGenesisHash', [])
  if (typeof genesis !== 'string') throw new Error('the node did not name its cluster')
  return genesis
}

/**
 * Asks a node for its slot. If the node's cluster is unknown, asks for the cluster first. A node of another cluster is
 * asked for its cluster each time, because its operator may have corrected the mistake.
 *
 * @throws Error if the node doesn't answer.
 */
export async function probe(node: RpcNode): Promise<void> {
  if (node.genesis === undefined || node.isForeign) node.genesis = await readGenesis(node)
  const slot = await call(node, 'getSlot', [{ commitment: 'confirmed' }])
  if (typeof slot !== 'bigint' && typeof slot !== 'number')
    throw new Error('the node did not report its slot')
  node.slot = BigInt(slot)
}
