import { isFeatureActive, REQUIRED_FEATURES } from '@sotto/protocol'
import { lamports } from '@solana/kit'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Chain } from '../demo/src/chain.ts'
import type { Progress } from '../demo/src/progress.ts'
import { FRUGAL } from '../demo/src/sizes.ts'
import { keypairFile } from '../demo/src/stack/keypair-file.ts'
import { SETUP_FILE } from '../demo/src/stack/service-stack.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../demo/src/stack/services.ts'
import { openValidator } from '../tools/validator/open-validator.ts'
import { SHREDS, SHREDS_MIN } from '../tools/validator/start-validator.ts'
import type { Options } from './options.ts'

const MAINNET_GENESIS = '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d'
/**
 * Lamports that the first run needs in addition to `RUN_LAMPORTS`. They pay rent and fees, and fund the inventory and
 * the relayers.
 */
const PAYER_LAMPORTS = FRUGAL.adminLamports + FRUGAL.solInventory + 2n * FRUGAL.relayerLamports
/** Lamports for the wallets of one run, including a reserve for topping up the relayers. */
const RUN_LAMPORTS = 8n * FRUGAL.solHeld + 2n * FRUGAL.relayerLamports
/**
 * The slot time of the embedded chain, in milliseconds. With these short slots, a blockhash expires after 20 seconds
 * instead of a minute.
 */
const SLOT_MS = 120
/**
 * The polling interval for a public node, in milliseconds. It is long, because a public node answers only a few
 * requests per second from each IP address.
 */
const GENTLE_POLL_MS = 1_500
const EAGER_POLL_MS = 150
/**
 * The polling interval for the validator. It is longer than for the embedded chain, because the validator's slots take
 * longer.
 */
const VALIDATOR_POLL_MS = 400

/** The cluster that a run uses. */
export interface Cluster {
  readonly rpcUrl: string
  readonly chain: Chain
  readonly program: string
  /**
   * Keypair file of a wallet that pays for everything, administers the pool, and is the program's upgrade authority.
   */
  readonly payerFile: string
  readonly folder: string
  readonly pollMs: number
  readonly close: () => Promise<void>
}

/**
 * Checks that the cluster has activated all features that the program needs. @throws Error that names the first missing
 * feature.
 */
async function assertFeatures({ rpc }: Chain): Promise<void> {
  for (const { address, name, neededFor } of REQUIRED_FEATURES) {
    const { value } = await rpc.getAccountInfo(address, { encoding: 'base64' }).send()
    const data = Buffer.from(value?.data[0] ?? '', 'base64')
    if (!isFeatureActive(value === null ? undefined : { owner: value.owner, data })) {
      throw new Error(
        `this cluster has not activated ${name} (${address}), needed for ${neededFor}`,
      )
    }
  }
}

/**
 * Connects to an existing cluster. Throws if the cluster is mainnet or lacks a feature, or if the payer has too little
 * money.
 */
async function reachCluster(
  rpcUrl: string,
  { program = '', payer = '', data }: Options,
): Promise<Cluster> {
  const chain = new Chain(rpcUrl, GENTLE_POLL_MS)
  const genesis = await chain.rpc
    .getGenesisHash()
    .send()
    .catch((cause: unknown) => {
      throw new Error(`no chain answers at ${rpcUrl}`, { cause })
    })
  if (genesis === MAINNET_GENESIS) throw new Error('this is mainnet, which tests must not use')
  await assertFeatures(chain)
  const payerFile = resolve(payer)
  // Checks first that the keypair file exists, because `keypairFile` would create a missing file with a new wallet.
  // That wallet would have no money on this cluster.
  await access(payerFile).catch(() => {
    throw new Error(`there is no keypair file ${payerFile}`)
  })
  const signer = await keypairFile(payerFile)
  const folder = resolve(data ?? join('.sotto', 'e2e', `${genesis.slice(0, 8)}-${program}`))
  // If the set-up file exists, an earlier run has paid for the pool, the tree and the inventory, so this run needs
  // fewer lamports.
  const isSetUp = await access(join(folder, SETUP_FILE)).then(
    () => true,
    () => false,
  )
  const { value: held } = await chain.rpc.getBalance(signer.address).send()
  const needed = isSetUp ? RUN_LAMPORTS : RUN_LAMPORTS + PAYER_LAMPORTS
  if (held < needed) throw new Error(`the payer holds ${held} lamports and needs ${needed}`)
  return {
    ...{ rpcUrl, chain, program, payerFile, folder },
    pollMs: GENTLE_POLL_MS,
    close: () => Promise.resolve(),
  }
}

/**
 * Starts an embedded chain for this run. The chain answers only the methods that a public node supports. All other
 * methods fail.
 */
async function startCluster(progress: Progress, slotMs: number): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-e2e-'))
  const payerFile = join(folder, 'keys', 'payer.json')
  const payer = await keypairFile(payerFile)
  progress.doing('starting an embedded chain that answers like a public node')
  const chain = await startLocalnet({
    port: 0,
    upgradeAuthority: payer.address,
    more: ['--standard-only', '--slot-ms', String(slotMs)],
  })
  const { rpcUrl } = chain.ready
  progress.done(`chain at ${rpcUrl}`)
  const client = new Chain(rpcUrl, EAGER_POLL_MS)
  const close = async () => {
    await chain.stop()
    await rm(folder, { recursive: true, force: true })
  }
  // The embedded chain has all features. The check runs here only so that every run tests `assertFeatures`.
  await assertFeatures(client)
  const gift = await client.rpc
    .requestAirdrop(payer.address, lamports(PAYER_LAMPORTS + RUN_LAMPORTS))
    .send()
  await client.confirm(gift)
  return {
    ...{ rpcUrl, chain: client, program: LOCAL_PROGRAM, payerFile, folder, close },
    pollMs: EAGER_POLL_MS,
  }
}

/** Starts Agave's test validator for this run. */
async function startOwnValidator({ pruned }: Options, progress: Progress): Promise<Cluster> {
  progress.doing('starting the validator')
  const shreds = pruned === true ? SHREDS_MIN : SHREDS
  const { rpcUrl, program, payerFile, stop } = await openValidator(shreds)
  progress.done(`validator at ${rpcUrl}`)
  try {
    const chain = new Chain(rpcUrl, VALIDATOR_POLL_MS)
    await assertFeatures(chain)
    const folder = join(dirname(payerFile), 'service')
    return { rpcUrl, chain, program, payerFile, folder, pollMs: VALIDATOR_POLL_MS, close: stop }
  } catch (error) {
    await stop()
    throw error
  }
}

/** Opens the cluster that `--rpc` names. Without `--rpc`, starts a validator or an embedded chain for this run. */
export function openCluster(
  options: Options,
  progress: Progress,
  slotMs = SLOT_MS,
): Promise<Cluster> {
  if (options.rpc !== undefined) return reachCluster(options.rpc, options)
  return options.validator === true
    ? startOwnValidator(options, progress)
    : startCluster(progress, slotMs)
}
