import { EXAMPLE_PARTNER } from '@sotto/contract'
import { address } from '@solana/kit'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../chain.ts'
import type { Progress } from '../progress.ts'
import { GENEROUS } from '../sizes.ts'
import { keypairFile } from './keypair-file.ts'
import { localTreasury } from './local-treasury.ts'
import { openServiceStack, type ServiceStack } from './service-stack.ts'
import { LOCAL_PROGRAM, startLocalnet, type ServerEnvironment } from './services.ts'

/**
 * Delays of seconds, so that a demonstration doesn't take long. They hide nothing: a service with real money keeps
 * the defaults, which are minutes.
 */
export const QUICK_DELAYS = {
  SOTTO_DELAY_MIN_SECONDS: '1',
  SOTTO_DELAY_MEAN_SECONDS: '3',
  SOTTO_DELAY_MAX_SECONDS: '10',
} as const

export interface LocalStackOptions {
  /** Holds chain, database and keys; a stopped stack continues from it. */
  readonly folder: string
  /** 0 selects any free port. */
  readonly apiPort: number
  readonly rpcPort: number
  readonly progress: Progress
  /** Further settings of the service. */
  readonly settings?: ServerEnvironment
  /** Also serves the send page and the operator's console. */
  readonly withPages?: boolean
  /** Milliseconds of a slot; the chain's own default is a public cluster's. */
  readonly slotMs?: number
}

export interface LocalStack extends ServiceStack {
  readonly close: () => Promise<void>
  /** If the chain or the service ends by itself, resolves with its last log lines. */
  readonly failed: Promise<string>
}

/** Starts chain and service as processes; the first start sets them up with the operator's commands. */
export async function openLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { folder, progress } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const adminFile = join(folder, 'keys', 'admin.json')
  const admin = await keypairFile(adminFile)
  progress.doing('starting the chain')
  const chain = await startLocalnet({
    port: options.rpcPort,
    folder: join(folder, 'chain'),
    upgradeAuthority: admin.address,
    ...(options.slotMs === undefined ? {} : { more: ['--slot-ms', `${options.slotMs}`] }),
  })
  try {
    const { rpcUrl } = chain.ready
    progress.done(`chain at ${rpcUrl}`)
    const service = await openServiceStack({
      ...{ folder, rpcUrl, progress, adminFile, apiPort: options.apiPort },
      program: LOCAL_PROGRAM,
      cluster: 'localnet',
      treasury: localTreasury(new Chain(rpcUrl), rpcUrl),
      sizes: GENEROUS,
      // The documented examples use this address.
      feeWallet: address(EXAMPLE_PARTNER),
      withPages: options.withPages === true,
      settings: { ...QUICK_DELAYS, ...options.settings },
    })
    return {
      ...service,
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
