import { EXAMPLE_PARTNER } from '@sotto/contract'
import { address } from '@solana/kit'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../chain.ts'
import type { Progress } from '../progress.ts'
import { GENEROUS } from '../sizes.ts'
import { keypairFile } from './keypair-file.ts'
import { localTreasury } from './local-treasury.ts'
import { payerTreasury } from './payer-treasury.ts'
import { openServiceStack, type ServiceStack } from './service-stack.ts'
import { LOCAL_PROGRAM, startLocalnet, type ServerEnvironment } from './services.ts'
import type { Treasury } from './treasury.ts'

/**
 * Delays of a few seconds, for short demonstrations. Delays this short hide nothing. A service with real money should
 * keep the default delays of minutes.
 */
export const QUICK_DELAYS = {
  SOTTO_DELAY_MIN_SECONDS: '1',
  SOTTO_DELAY_MEAN_SECONDS: '3',
  SOTTO_DELAY_MAX_SECONDS: '10',
} as const

/** The developer's own validator. If it is given, the stack starts no chain. */
export interface OwnNode {
  readonly rpcUrl: string
  /** The program's address on that validator. */
  readonly program: string
  /** Keypair file of a wallet that pays for everything. The wallet must be the program's upgrade authority. */
  readonly payerFile: string
}

export interface LocalStackOptions {
  /** The folder with chain, database and keys. After a stop, a stack with the same folder continues from it. */
  readonly folder: string
  /** The port of the API; 0 for any free port. */
  readonly apiPort: number
  readonly rpcPort: number
  /** The node to use. By default, the stack starts its own chain. */
  readonly node?: OwnNode
  readonly progress: Progress
  /** Additional settings of the service. */
  readonly settings?: ServerEnvironment
  /** True to serve the send page and the operator's console too. */
  readonly withPages?: boolean
  /** The slot time in milliseconds. The default is the slot time of a public cluster. */
  readonly slotMs?: number
}

export interface LocalStack extends ServiceStack {
  readonly treasury: Treasury
  readonly close: () => Promise<void>
  /**
   * Resolves when the chain or the stack's first service process ends, for any reason. The value is the last log lines
   * of this process.
   */
  readonly failed: Promise<string>
}

interface OpenedChain {
  readonly rpcUrl: string
  readonly program: string
  readonly adminFile: string
  readonly treasury: Treasury
  readonly stop: () => Promise<void>
  readonly ended: Promise<string>
}

async function startChain(options: LocalStackOptions): Promise<OpenedChain> {
  const { folder } = options
  const adminFile = join(folder, 'keys', 'admin.json')
  const admin = await keypairFile(adminFile)
  const { ready, stop, ended } = await startLocalnet({
    port: options.rpcPort,
    folder: join(folder, 'chain'),
    upgradeAuthority: admin.address,
    ...(options.slotMs === undefined ? {} : { more: ['--slot-ms', `${options.slotMs}`] }),
  })
  const { rpcUrl } = ready
  const treasury = localTreasury(new Chain(rpcUrl), rpcUrl)
  return { rpcUrl, program: LOCAL_PROGRAM, adminFile, treasury, stop, ended }
}

/** Uses the chain of a running node. This stack doesn't start or stop the node. */
async function useNode({ rpcUrl, program, payerFile }: OwnNode, folder: string) {
  const payer = await keypairFile(payerFile)
  const treasury = payerTreasury(new Chain(rpcUrl), payer, join(folder, 'keys', 'token.json'))
  const stop = () => Promise.resolve()
  return {
    ...{ rpcUrl, program, treasury, stop, adminFile: payerFile },
    ended: new Promise<string>(() => undefined),
  }
}

/** Starts chain and service as processes. The first start sets them up with the operator's commands. */
export async function openLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { folder, progress, node } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  progress.doing('starting the chain')
  const chain = await (node === undefined ? startChain(options) : useNode(node, folder))
  try {
    const { rpcUrl, program, adminFile, treasury } = chain
    progress.done(`chain at ${rpcUrl}`)
    const service = await openServiceStack({
      ...{ folder, rpcUrl, program, progress, adminFile, treasury, apiPort: options.apiPort },
      cluster: 'localnet',
      sizes: GENEROUS,
      // The documented examples use this address as fee recipient.
      feeWallet: address(EXAMPLE_PARTNER),
      withPages: options.withPages === true,
      settings: { ...QUICK_DELAYS, ...options.settings },
    })
    return {
      ...{ ...service, treasury },
      close: async () => {
        await service.stopService()
        await chain.stop()
      },
      failed: Promise.race([chain.ended, service.ended]),
    }
  } catch (error) {
    await chain.stop()
    throw error
  }
}
