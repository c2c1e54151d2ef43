import { PUBLIC_CLUSTERS } from '@sotto/protocol'
import type { Config } from '../config.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { OpenedRpc } from './open-rpc.ts'
import { OperatorError } from './operator-error.ts'
import type { NodeGenesis } from './read-geneses.ts'

/** The nodes to check. */
export type CheckedNodes = Pick<OpenedRpc, 'rpc'> &
  Partial<Pick<OpenedRpc, 'recipientRpc' | 'geneses' | 'cluster'>>

/**
 * Checks that all nodes belong to one cluster, and that this is the configured cluster. Without this check, a setting
 * that was copied from a test could connect the service to another cluster. A node that doesn't answer now is accepted:
 * if it later turns out to belong to another cluster, it counts as down. Sets the genesis hash of `nodes.cluster`.
 * Returns the cluster's name; undefined for a private chain.
 *
 * @throws OperatorError that names the correction.
 */
export async function assertNodes(
  config: Config,
  nodes: CheckedNodes,
): Promise<string | undefined> {
  const { rpc, recipientRpc, geneses } = nodes
  const [answered, all] = await Promise.all([answeredGenesis(rpc, config), geneses?.() ?? []])
  const genesis = all[0]?.genesis ?? answered
  const cluster = PUBLIC_CLUSTERS[genesis]
  if (!mayBe(config, cluster)) {
    throw new OperatorError(
      `SOTTO_CLUSTER is ${config.CLUSTER}, but SOTTO_RPC_URL leads to ${cluster ?? 'another cluster'}; correct one of them`,
    )
  }
  const foreign = all.find((one) => one.genesis !== undefined && one.genesis !== genesis)
  if (foreign !== undefined) throw foreignNode(foreign.setting, foreign.url)
  if (nodes.cluster !== undefined) nodes.cluster.genesis = genesis
  if (recipientRpc !== undefined && (await recipientGenesis(recipientRpc)) !== genesis) {
    // If this list had several nodes, the client wouldn't use the answer of a node of another cluster. So the list has
    // only one node.
    throw foreignNode('RECIPIENT_RPC_URLS', config.RECIPIENT_RPC_URLS?.[0])
  }
  return cluster
}

function foreignNode(setting: NodeGenesis['setting'], url = ''): OperatorError {
  const host = URL.canParse(url) ? ` (${new URL(url).host})` : ''
  return new OperatorError(
    `SOTTO_${setting} names a node of another cluster than SOTTO_RPC_URL${host}; correct the URL or remove it`,
  )
}

/** Asks for the genesis hash. @throws OperatorError with this message if no node answers. */
const genesisOf = (rpc: ChainRpc, message: string): Promise<string> =>
  rpc
    .getGenesisHash()
    .send()
    .catch((cause: unknown) => {
      throw new OperatorError(message, { cause })
    })

function answeredGenesis(rpc: ChainRpc, { RPC_URL }: Config): Promise<string> {
  const { host } = new URL(RPC_URL)
  return genesisOf(
    rpc,
    `no node answers at SOTTO_RPC_URL (${host}); start the node or correct the URL`,
  )
}

/**
 * A public cluster must be the configured cluster. Any chain that isn't public may be configured as localnet or devnet.
 */
const mayBe = ({ CLUSTER }: Config, cluster: string | undefined): boolean =>
  cluster === undefined ? CLUSTER !== 'mainnet' : cluster === CLUSTER

/**
 * Asks the nodes for recipients to which cluster they belong. At least one must answer, because no other node is asked
 * instead.
 */
const recipientGenesis = (recipientRpc: ChainRpc): Promise<string> =>
  genesisOf(
    recipientRpc,
    'no node of SOTTO_RECIPIENT_RPC_URLS answers, and only these nodes are asked about recipients; correct the URLs or remove the setting',
  )
