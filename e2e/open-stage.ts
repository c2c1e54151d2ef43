import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { randomInt } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../demo/src/chain.ts'
import { makeStage } from '../demo/src/make-stage.ts'
import { waitingPassage } from '../demo/src/passage.ts'
import type { Progress } from '../demo/src/progress.ts'
import { FRUGAL } from '../demo/src/sizes.ts'
import { keypairFile } from '../demo/src/stack/keypair-file.ts'
import { payerTreasury } from '../demo/src/stack/payer-treasury.ts'
import { QUICK_DELAYS } from '../demo/src/stack/local-stack.ts'
import { openServiceStack } from '../demo/src/stack/service-stack.ts'
import type { Treasury } from '../demo/src/stack/treasury.ts'
import type { OpenedStage } from '../demo/src/stage.ts'
import { startCongestedNode, type CongestedNode } from '../testing/stage/congested-node.ts'
import { openCluster, type Cluster } from './cluster.ts'
import type { Options } from './options.ts'
import { startRecorder } from './record/recorder.ts'

/**
 * The shortest delivery window that the service accepts, and a short time for paying an order. With both, an order can
 * be refunded early.
 */
const SHORT = {
  SOTTO_DELIVERY_WINDOW_SECONDS: '600',
  // The refresh scene waits until a blockhash has expired. The order must still be payable then.
  SOTTO_ORDER_SECONDS: '300',
}

/** The delivery window is long enough for the blockhashes of several attempts to expire, one after the other. */
const LONG = { ...SHORT, SOTTO_DELIVERY_WINDOW_SECONDS: '3600' }

/** Tops up the relayers. In a reused folder, earlier runs have spent a part of the relayers' balances. */
async function topUp(
  chain: Chain,
  treasury: Treasury,
  relayers: readonly Address[],
): Promise<void> {
  for (const relayer of relayers) {
    const held = await chain.balance(relayer, NATIVE_MINT)
    // The service refuses new orders if a relayer's balance is low, even if the balance is enough for many deliveries.
    if (held < (FRUGAL.relayerLamports * 4n) / 5n)
      await treasury.fund(relayer, FRUGAL.relayerLamports)
  }
}

/**
 * Returns the cluster. If `file` is given, all requests go through a recorder, and `close` writes the recorded forms
 * to the file.
 */
async function recordIfAsked(cluster: Cluster, file: string | undefined) {
  const { rpcUrl, chain, close } = cluster
  if (file === undefined) return { rpcUrl, chain, close }
  const recorder = await startRecorder(rpcUrl)
  return {
    rpcUrl: recorder.url,
    chain: new Chain(recorder.url, cluster.pollMs),
    close: async () => {
      await recorder.stop()
      await close()
      await writeFile(file, `${JSON.stringify(recorder.forms(), undefined, 2)}\n`)
    },
  }
}

interface OpenedRun extends OpenedStage {
  /** The endpoint through which the service sends; undefined without `--congested`. */
  readonly congested: CongestedNode | undefined
}

/**
 * Starts the service on a cluster. The run uses the cluster like a public cluster: the payer pays for everything,
 * standard instructions create the token, and time passes only by waiting.
 */
export async function openStage(options: Options, progress: Progress): Promise<OpenedRun> {
  const cluster = await openCluster(options, progress)
  const { program, payerFile, folder, pollMs } = cluster
  const { chain, rpcUrl, ...recorded } = await recordIfAsked(cluster, options.record)
  const congested =
    options.congested === true ? await startCongestedNode(rpcUrl, randomInt(2 ** 31)) : undefined
  const stopNodes = async () => {
    await congested?.stop()
    await recorded.close()
  }
  let close = stopNodes
  try {
    const payer = await keypairFile(payerFile)
    const treasury = payerTreasury(chain, payer, join(folder, 'keys', 'token.json'))
    const stack = await openServiceStack({
      ...{ folder, rpcUrl, program, treasury, progress },
      adminFile: payerFile,
      cluster: 'devnet',
      apiPort: 0,
      sizes: FRUGAL,
      settings: {
        ...(congested === undefined ? SHORT : { ...LONG, SOTTO_SEND_RPC_URLS: congested.url }),
        ...{ ...QUICK_DELAYS, SOTTO_POLL_MS: String(pollMs) },
      },
    })
    close = async () => {
      await stack.stopService()
      await stopNodes()
    }
    const { relayers } = stack.setup
    await topUp(chain, treasury, relayers)
    const passage = waitingPassage(chain, progress)
    const stage = await makeStage(stack, { chain, treasury, passage, progress })
    return { stage, relayers, congested, close }
  } catch (error) {
    await close()
    throw error
  }
}
