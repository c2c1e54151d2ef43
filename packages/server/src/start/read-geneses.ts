import type { PaceOf } from '../adapters/rpc/paces.ts'
import { readGenesis, rpcNode } from '../adapters/rpc/rpc-node.ts'
import type { Config } from '../config.ts'

/** The cluster of one node. */
export interface NodeGenesis {
  readonly setting: 'RPC_URL' | 'RPC_URLS' | 'RECIPIENT_RPC_URLS' | 'SEND_RPC_URLS'
  readonly url: string
  /** Undefined if the node doesn't answer. Some endpoints for sending never answer this request. */
  readonly genesis: string | undefined
}

/** Asks each node once for the genesis hash of its cluster. The node of SOTTO_RPC_URL is first in the result. */
export function readGeneses(config: Config, paceOf: PaceOf): Promise<readonly NodeGenesis[]> {
  const ask = async (setting: NodeGenesis['setting'], url: string): Promise<NodeGenesis> => {
    const node = rpcNode(url, 0, paceOf(url))
    return { setting, url, genesis: await readGenesis(node).catch(() => undefined) }
  }
  const lists = (['RPC_URLS', 'RECIPIENT_RPC_URLS', 'SEND_RPC_URLS'] as const).flatMap((setting) =>
    (config[setting] ?? []).map((url) => ask(setting, url)),
  )
  return Promise.all([ask('RPC_URL', config.RPC_URL), ...lists])
}
