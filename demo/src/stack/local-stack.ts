import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../progress.ts'
import type { StartedProcess } from './child-process.ts'
import { keypairFile } from './keypair-file.ts'
import {
  LOCAL_PROGRAM,
  startLocalnet,
  startServer,
  type ServerEnvironment,
  type ServerReady,
} from './services.ts'
import { setUp, type LocalSetup } from './set-up.ts'

export interface LocalStackOptions {
  /** Holds chain, database and keys; a stack that stopped goes on from it. */
  readonly folder: string
  /** 0 takes any free port. */
  readonly apiPort: number
  readonly rpcPort: number
  readonly progress: Progress
}

export interface LocalStack {
  readonly rpcUrl: string
  readonly baseUrl: string
  readonly docsUrl: string
  readonly program: string
  readonly setup: LocalSetup
  readonly stopService: () => Promise<void>
  readonly startService: () => Promise<void>
  readonly close: () => Promise<void>
  /** Resolves with its last words when the chain or the service ends by itself. */
  readonly failed: Promise<string>
}

function environment(folder: string, rpcUrl: string, apiPort: number): ServerEnvironment {
  return {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: LOCAL_PROGRAM,
    SOTTO_DATA: join(folder, 'server'),
    SOTTO_KEYS: join(folder, 'keys'),
    SOTTO_PRICES_FILE: join(folder, 'prices.json'),
    SOTTO_PORT: String(apiPort),
  }
}

/** The set-up of an earlier start; without one it is made and kept, readable by its owner only. */
async function readOrMakeSetup(folder: string, rpcUrl: string, env: ServerEnvironment) {
  const file = join(folder, 'setup.json')
  const known = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (known !== undefined) return JSON.parse(known) as LocalSetup
  const folders = {
    keys: join(folder, 'keys'),
    prices: join(folder, 'prices.json'),
    commands: join(folder, 'set-up.jsonl'),
  }
  const setup = await setUp(rpcUrl, folders, env)
  await writeFile(file, JSON.stringify(setup), { mode: 0o600 })
  return setup
}

/** Starts chain and service as processes, setting them up with the operator's commands once. */
export async function openLocalStack(options: LocalStackOptions): Promise<LocalStack> {
  const { folder, progress } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const admin = await keypairFile(join(folder, 'keys', 'admin.json'))
  progress.doing('starting the chain')
  const chain = await startLocalnet({
    port: options.rpcPort,
    folder: join(folder, 'chain'),
    upgradeAuthority: admin.address,
  })
  let service: StartedProcess<ServerReady> | undefined
  const close = async () => {
    await service?.stop()
    await chain.stop()
  }
  try {
    const { rpcUrl } = chain.ready
    progress.done(`chain at ${rpcUrl}`)
    progress.doing('setting up pool, assets, inventory, account and API key')
    const setup = await readOrMakeSetup(
      folder,
      rpcUrl,
      environment(folder, rpcUrl, options.apiPort),
    )
    progress.done('pool, assets, inventory, account and API key are set up')
    progress.doing('starting the service')
    service = await startServer(environment(folder, rpcUrl, options.apiPort))
    const { baseUrl, docsUrl } = service.ready
    progress.done(`service at ${baseUrl}`)
    // A restart takes the same port, so that the address partners know stays good.
    const restartEnv = environment(folder, rpcUrl, Number(new URL(baseUrl).port))
    return {
      rpcUrl,
      baseUrl,
      docsUrl,
      program: LOCAL_PROGRAM,
      setup,
      stopService: async () => {
        await service?.stop()
        service = undefined
      },
      startService: async () => {
        service = await startServer(restartEnv)
      },
      close,
      failed: Promise.race([chain.ended, service.ended]),
    }
  } catch (error) {
    await close()
    throw error
  }
}
