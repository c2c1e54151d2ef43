import { PUBLIC_CLUSTERS } from '@sotto/protocol'
import type { Config } from '../config.ts'
import type { ChainRpc } from '../adapters/rpc/rpc-client.ts'
import type { OpenedRpc } from './open-rpc.ts'
import { OperatorError } from './operator-error.ts'

/** The nodes to check. */
export type CheckedNodes = Pick<OpenedRpc, 'rpc'> &
  Partial<Pick<OpenedRpc, 'recipientRpc' | 'geneses'>>

/**
 * Checks that all nodes belong to one cluster, and that this cluster is the configured one. A setting may have been
 * copied from a test. A node that doesn't answer now is accepted: if it later shows another cluster, it counts as down.
 * Returns the cluster's name; undefined for a private chain.
 *
 * @throws OperatorError that names the correction.
 */
export async function assertNodes(
  config: Config,
  { rpc, recipientRpc, geneses }: CheckedNodes,
): Promise<string | undefined> {
  const [answered, all] = await Promise.all([answeredGenesis(rpc, config), geneses?.() ?? []])
  const genesis = all[0]?.genesis ?? answered
  const cluster = PUBLIC_CLUSTERS[genesis]
  if (!mayBe(config, cluster)) {
    throw new OperatorError(
      `SOTTO_CLUSTER is ${config.CLUSTER}, but SOTTO_RPC_URL leads to ${cluster ?? 'another cluster'}; correct one of them`,
    )
  }
  const foreign = all.find((one) => one.genesis !== undefined && one.genesis !== genesis)
  if (foreign !== undefined) {
    const { host } = new URL(foreign.url)
    throw new OperatorError(
      `SOTTO_${foreign.setting} names a node of another cluster than SOTTO_RPC_URL (${host}); correct the URL or remove it`,
    )
  }
  if (recipientRpc !== undefined) await assertAnswered(recipientRpc)
  return cluster
}

function answeredGenesis(rpc: ChainRpc, { RPC_URL }: Config): Promise<string> {
  return rpc
    .getGenesisHash()
    .send()
    .catch((cause: unknown) => {
      const { host } = new URL(RPC_URL)
      throw new OperatorError(
        `no node answers at SOTTO_RPC_URL (${host}); start the node or correct the URL`,
        { cause },
      )
    })
}

/** A public cluster must be the configured one. Any chain that isn't public may have the name localnet or devnet. */
const mayBe = ({ CLUSTER }: Config, cluster: string | undefined): boolean =>
  cluster === undefined ? CLUSTER !== 'mainnet' : cluster === CLUSTER

/** Checks that a node for recipients answers, because no other node is asked about recipients. */
async function assertAnswered(recipientRpc: ChainRpc): Promise<void> {
  await recipientRpc
    .getGenesisHash()
    .send()
    .catch((cause: unknown) => {
      throw new OperatorError(
        'no node of SOTTO_RECIPIENT_RPC_URLS answers, and only these nodes are asked about recipients; correct the URLs or remove the setting',
        { cause },
      )
    })
}
