import { NATIVE_MINT } from '@sotto/protocol'
import { lamports } from '@solana/kit'
import { join } from 'node:path'
import type { Chain } from '../../demo/src/chain.ts'
import { silence } from '../../demo/src/progress.ts'
import { FRUGAL } from '../../demo/src/sizes.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { payerTreasury } from '../../demo/src/stack/payer-treasury.ts'
import { openServiceStack } from '../../demo/src/stack/service-stack.ts'
import type { ServerEnvironment } from '../../demo/src/stack/services.ts'
import type { Treasury } from '../../demo/src/stack/treasury.ts'
import { openCluster } from '../../e2e/cluster.ts'
import { newDatabase } from '../../packages/server/tests/migrated-database.ts'
import { ServiceClient } from '../soak/service-client.ts'
import { BRISK } from '../stage/brisk-settings.ts'
import { freePort } from '../stage/free-port.ts'
import { undoAll, type Undo } from '../stage/open-ground.ts'
import { startNodeProxy, type NodeProxy } from './node-proxy.ts'

/** A cluster, two proxies in front of it, and a service that uses one or both of the proxies. */
export interface Ground {
  readonly chain: Chain
  readonly treasury: Treasury
  /** The service's nodes. The first node gets the faults. */
  readonly nodes: readonly [NodeProxy, NodeProxy]
  /**
   * Starts the service again with this many nodes. With `isUsual`, the service runs without the settings that make
   * transfers quick.
   */
  readonly serve: (nodes: 1 | 2, isUsual?: boolean) => Promise<ServiceClient>
  /** The reason why the service isn't ready; empty if it is ready. */
  readonly unreadyBecause: () => Promise<string>
  /** The text of the service's metrics. */
  readonly metrics: () => Promise<string>
  readonly close: () => Promise<void>
}

const BRISK_POLL_MS = '200'
/** Lamports of a relayer: the rent of about sixty settlements. The relayer gets this rent back only after weeks. */
const RELAYER_LAMPORTS = 200_000_000n
/** Lamports for all wallets of a run. */
const RUN_LAMPORTS = 5_000_000_000n

/**
 * Opens the cluster at `TEST_RPC_URL`. The program `TEST_PROGRAM` must be deployed there, and the keypair file
 * `TEST_PAYER` pays. With `TEST_VALIDATOR=true`, starts Agave's test validator. Without these variables, opens an
 * embedded chain that has only a public node's methods. `slotMs` is the slot time of the embedded chain.
 */
export async function openGround(slotMs?: number): Promise<Ground> {
  const undo: Undo = []
  try {
    return { ...(await open(undo, slotMs)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}

async function open(undo: Undo, slotMs?: number): Promise<Omit<Ground, 'close'>> {
  const { TEST_RPC_URL: rpc, TEST_PROGRAM, TEST_PAYER, TEST_VALIDATOR } = process.env
  const named = { program: TEST_PROGRAM ?? '', payer: TEST_PAYER ?? '' }
  const validator = TEST_VALIDATOR === 'true'
  const chosen = rpc === undefined ? { validator } : { rpc, ...named }
  const options = { refund: false, json: true, ...chosen }
  const cluster = await openCluster(options, silence, slotMs)
  undo.push(cluster.close)
  const { chain, folder, payerFile, program } = cluster
  const payer = await keypairFile(payerFile)
  if (rpc === undefined) {
    const gift = chain.rpc.requestAirdrop(payer.address, lamports(RUN_LAMPORTS)).send()
    await chain.confirm(await gift)
  }
  const nodes = [
    await startNodeProxy(cluster.rpcUrl, 'first'),
    await startNodeProxy(cluster.rpcUrl, 'second'),
  ] as const
  for (const { stop } of nodes) undo.push(stop)
  const database = rpc === undefined ? await ownDatabase(undo) : {}
  const treasury = payerTreasury(chain, payer, join(folder, 'keys', 'token.json'))
  const metricsPort = await freePort()
  let [stop, baseUrl]: [() => Promise<void>, string] = [() => Promise.resolve(), '']
  undo.push(() => stop())

  const serve = async (count: 1 | 2, isUsual = false) => {
    await stop()
    const [first, second] = nodes
    const brisk: ServerEnvironment = {
      ...BRISK,
      SOTTO_POLL_MS: rpc === undefined ? BRISK_POLL_MS : String(cluster.pollMs),
      SOTTO_UPKEEP_SECONDS: '3',
    }
    const settings: ServerEnvironment = {
      ...(isUsual ? {} : brisk),
      ...database,
      SOTTO_METRICS_PORT: String(metricsPort),
      ...(count === 2 ? { SOTTO_RPC_URLS: second.url } : {}),
    }
    const stack = await openServiceStack({
      ...{ folder, program, treasury, settings, adminFile: payerFile, apiPort: 0 },
      ...{ rpcUrl: first.url, cluster: 'devnet', sizes: FRUGAL, progress: silence },
    })
    stop = stack.stopService
    baseUrl = stack.baseUrl
    for (const relayer of stack.setup.relayers) {
      const held = await chain.balance(relayer, NATIVE_MINT)
      if (held < RELAYER_LAMPORTS) await treasury.fund(relayer, RELAYER_LAMPORTS)
    }
    return new ServiceClient(stack.baseUrl, stack.setup.apiKey)
  }
  const metrics = async () => (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
  const unreadyBecause = async () => {
    const answer = (await (await fetch(`${baseUrl}/readyz`)).json()) as {
      readonly issues?: readonly { readonly message: string }[]
    }
    return answer.issues?.map(({ message }) => message).join() ?? ''
  }
  return { chain, treasury, nodes, serve, unreadyBecause, metrics }
}

/**
 * A database for one run. It isn't used on the cluster at `TEST_RPC_URL`: the pool still exists there after the run, so
 * the service must keep its database.
 */
async function ownDatabase(undo: Undo): Promise<ServerEnvironment> {
  const { url, release } = await newDatabase()
  undo.push(release)
  return { SOTTO_DATABASE_URL: url }
}
