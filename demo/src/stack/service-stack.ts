import type { Address } from '@solana/kit'
import { buildPages } from '@sotto/web'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '../progress.ts'
import type { Sizes } from '../sizes.ts'
import type { StartedProcess } from './child-process.ts'
import { startServer, type ServerEnvironment, type ServerReady } from './services.ts'
import { setUp, type Setup, type SetUpOptions } from './set-up.ts'
import type { Treasury } from './treasury.ts'

export interface ServiceStackOptions {
  /** The folder with database and keys. After a stop, a stack with the same folder continues from it. */
  readonly folder: string
  readonly rpcUrl: string
  readonly program: string
  /** The service's cluster setting. Every value except `localnet` means a public cluster. */
  readonly cluster: 'localnet' | 'devnet'
  /** The port of the API; 0 for any free port. */
  readonly apiPort: number
  /** Keypair file of the wallet that is admin and upgrade authority. */
  readonly adminFile: string
  readonly treasury: Treasury
  readonly sizes: Sizes
  /** The wallet that receives the partner's share. The default is a new wallet. */
  readonly feeWallet?: Address
  /** Additional settings of the service. */
  readonly settings?: ServerEnvironment
  /** True to serve the send page and the operator's console too. */
  readonly withPages?: boolean
  readonly progress: Progress
}

/** A running service on a chain. The operator's commands have set it up. */
export interface ServiceStack {
  readonly rpcUrl: string
  readonly program: string
  readonly baseUrl: string
  readonly docsUrl: string
  /** The URL of the send page; undefined if the pages weren't requested. */
  readonly sendUrl?: string | undefined
  readonly consoleUrl?: string | undefined
  readonly setup: Setup
  readonly sizes: Sizes
  readonly stopService: () => Promise<void>
  readonly startService: () => Promise<void>
  /**
   * Resolves when the stack's first service process ends, for any reason. The value is the last log lines of this
   * process.
   */
  readonly ended: Promise<string>
}

/** The name of the file in a stack's folder that stores the result of its set-up. */
export const SETUP_FILE = 'setup.json'

function environment(options: ServiceStackOptions): ServerEnvironment {
  return {
    SOTTO_CLUSTER: options.cluster,
    SOTTO_RPC_URL: options.rpcUrl,
    SOTTO_PROGRAM_ID: options.program,
    SOTTO_DATA: join(options.folder, 'server'),
    SOTTO_KEYS: join(options.folder, 'keys'),
    SOTTO_PRICES_FILE: join(options.folder, 'prices.json'),
    SOTTO_PORT: String(options.apiPort),
    ...options.settings,
  }
}

/**
 * Reads the set-up of an earlier start. If there is none, creates it and saves it in a file that only its owner can
 * read.
 */
async function readOrMakeSetup(folder: string, options: SetUpOptions): Promise<Setup> {
  const file = join(folder, SETUP_FILE)
  const known = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined
    throw cause
  })
  if (known !== undefined) return JSON.parse(known) as Setup
  const setup = await setUp(options)
  await writeFile(file, JSON.stringify(setup), { mode: 0o600 })
  return setup
}

/** The settings that make the service serve the pages. */
const pageSettings = (env: ServerEnvironment, { sendPageKey }: Setup): ServerEnvironment => ({
  SOTTO_METRICS_PORT: '0',
  ...env,
  SOTTO_WEB_API_KEY: sendPageKey,
})

/** Starts the service on a chain that already has the program. The first start also sets it up. */
export async function openServiceStack(options: ServiceStackOptions): Promise<ServiceStack> {
  const { folder, progress, rpcUrl, program, sizes } = options
  await mkdir(folder, { recursive: true, mode: 0o700 })
  progress.doing('setting up pool, assets, inventory, account and API key')
  const env = environment(options)
  const isPaged = options.withPages === true
  const built = isPaged ? buildPages() : undefined
  // The code below awaits the build, but not if the set-up fails first. This handler then prevents an unhandled
  // rejection.
  built?.catch(() => undefined)
  const setup = await readOrMakeSetup(folder, {
    adminFile: options.adminFile,
    treasury: options.treasury,
    sizes,
    ...(options.feeWallet === undefined ? {} : { feeWallet: options.feeWallet }),
    folders: {
      keys: join(folder, 'keys'),
      prices: join(folder, 'prices.json'),
      commands: join(folder, 'set-up.jsonl'),
    },
    env,
  })
  progress.done('pool, assets, inventory, account and API key are set up')
  progress.doing('starting the service')
  await built
  const pages = isPaged ? pageSettings(env, setup) : {}
  let service: StartedProcess<ServerReady> | undefined = await startServer({ ...env, ...pages })
  const { baseUrl, docsUrl, sendUrl, consoleUrl } = service.ready
  progress.done(`service at ${baseUrl}`)
  // A restart must use the same port, because the service's address must stay the same.
  const restartEnv = { ...env, ...pages, SOTTO_PORT: new URL(baseUrl).port }
  return {
    ...{ rpcUrl, program, baseUrl, docsUrl, sendUrl, consoleUrl, setup, sizes },
    ended: service.ended,
    stopService: async () => {
      await service?.stop()
      service = undefined
    },
    startService: async () => {
      service = await startServer(restartEnv)
    },
  }
}
