import { systemPaceClock } from '@sotto/protocol'
import { systemClock } from '../adapters/clock/system-clock.ts'
import type { Patience } from '../adapters/rpc/patience.ts'
import { sharedPaces, type PaceOf } from '../adapters/rpc/paces.ts'
import type { NodeStanding, RpcObserver } from '../adapters/rpc/rpc-observer.ts'
import { createRpcClients, type ChainRpc, type RpcClients } from '../adapters/rpc/rpc-client.ts'
import type { Cluster, RpcNodesOptions } from '../adapters/rpc/rpc-nodes.ts'
import type { Config } from '../config.ts'
import { readGeneses, type NodeGenesis } from './read-geneses.ts'

export interface OpenedRpc extends RpcClients {
  /** The nodes for recipients; undefined if no separate nodes are configured for recipients. */
  readonly recipientRpc: ChainRpc | undefined
  /** The pace of the requests to each node. Other requests to the same nodes must share it. */
  readonly paceOf: PaceOf
  /** The cluster of all nodes. Its genesis hash is set when the nodes have been checked. */
  readonly cluster: Cluster
  /** Asks each node for its cluster, including the nodes for sending. */
  readonly geneses: () => Promise<readonly NodeGenesis[]>
}

type Reports = Pick<RpcNodesOptions, 'changed' | 'foreign'>

/**
 * Opens the configured nodes, and separately the nodes for recipients. Calls `changed` and `foreign` with the index of
 * a node. The nodes for reading have the first indexes. The nodes for recipients have the next indexes, and the nodes
 * for sending have the last.
 */
export function openNodes(
  config: Config,
  { changed, foreign }: Reports = {},
  observer?: RpcObserver,
  patience?: Patience,
): OpenedRpc {
  const { RPC_URL, RPC_URLS, RPC_LAG_SLOTS, RECIPIENT_RPC_URLS, SEND_RPC_URLS } = config
  const lists = [[RPC_URL, ...(RPC_URLS ?? [])], RECIPIENT_RPC_URLS ?? [], SEND_RPC_URLS ?? []]
  const observers =
    observer && observeLists(observer, lists.filter((urls) => urls.length > 0).length)
  const paceOf = sharedPaces(systemPaceClock)
  const cluster: Cluster = { genesis: undefined }
  const [read, recipient, send] = lists.map((urls, index): RpcNodesOptions | undefined => {
    if (urls.length === 0) return undefined
    const first = lists.slice(0, index).reduce((sum, before) => sum + before.length, 0)
    return {
      ...{ urls, lagSlots: RPC_LAG_SLOTS, clock: systemClock, paceOf, cluster },
      changed: (place, isUp) => changed?.(first + place, isUp),
      foreign: (place) => foreign?.(first + place),
      ...(patience === undefined ? {} : { patience }),
      ...(observers === undefined ? {} : { observer: observers(first) }),
    }
  })
  if (read === undefined) throw new Error('no node is configured')
  return {
    ...{ paceOf, cluster },
    geneses: () => readGeneses(config, paceOf),
    ...createRpcClients(read, send),
    recipientRpc: recipient && createRpcClients(recipient).rpc,
  }
}

/** Makes observers for several lists of nodes. All lists are reported as one list. */
function observeLists(observer: RpcObserver, count: number): (first: number) => RpcObserver {
  const watched: (() => readonly NodeStanding[])[] = []
  return (first) => ({
    around: observer.around,
    tried: (place, outcome) => observer.tried(first + place, outcome),
    watch: (standings) => {
      watched.push(() => standings().map((one) => ({ ...one, place: first + one.place })))
      if (watched.length === count) observer.watch(() => watched.flatMap((read) => read()))
    },
  })
}
