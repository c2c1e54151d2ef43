import type { Address } from '@solana/kit'
import { mkdir } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { GENEROUS } from '../../demo/src/sizes.ts'
import { callLocal } from '../../demo/src/stack/call-local.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../../demo/src/stack/services.ts'
import { setUp, type Setup } from '../../demo/src/stack/set-up.ts'
import type { Treasury } from '../../demo/src/stack/treasury.ts'
import { startPostgres } from '../../packages/server/tests/start-postgres.ts'
import { startFaultProxy, type FaultProxy } from './fault-proxy.ts'
import { ServiceProcess } from './service-process.ts'

/** As the service runs in production, each part a process: one API, workers, PostgreSQL, a node. */
export interface Stage {
  /** The chain as users see it: their node has no faults. */
  readonly chain: Chain
  readonly program: Address
  readonly treasury: Treasury
  readonly setup: Setup
  /** What stands between the service and its node. */
  readonly proxy: FaultProxy
  readonly databaseUrl: string
  readonly baseUrl: string
  readonly api: ServiceProcess
  readonly workers: readonly ServiceProcess[]
  /** Starts one more; whoever does may stop it, or leave that to `close`. */
  readonly addWorker: () => Promise<ServiceProcess>
  /** Lets the chain's time pass at once. */
  readonly advance: (seconds: number) => Promise<void>
  readonly close: () => Promise<void>
}

export interface StageOptions {
  /** This run's own, for keys and logs. */
  readonly folder: string
  readonly seed: number
  readonly workers: number
  readonly slotMs: number
  /** Further settings of the service, or others than these. */
  readonly settings?: Readonly<Record<`SOTTO_${string}`, string>>
}

/** The greatest that the configuration takes. */
const NO_LIMIT = '100000'

async function freePort(): Promise<string> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return String(port)
}

type Undo = (() => Promise<unknown>)[]

async function undoAll(steps: Undo): Promise<void> {
  for (const step of steps.reverse()) await step()
}

async function start(options: StageOptions, undo: Undo): Promise<Omit<Stage, 'close'>> {
  const { folder, seed, slotMs } = options
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  const adminFile = join(keys, 'admin.json')
  const { address } = await keypairFile(adminFile)
  const more = ['--slot-ms', String(slotMs)]
  const localnet = await startLocalnet({ port: 0, upgradeAuthority: address, more })
  undo.push(localnet.stop)
  const postgres = await startPostgres()
  undo.push(postgres.stop)
  const databaseUrl = await postgres.createDatabase()
  const { rpcUrl } = localnet.ready
  const proxy = await startFaultProxy(rpcUrl, seed)
  undo.push(proxy.stop)
  const chain = new Chain(rpcUrl)
  const treasury = localTreasury(chain, rpcUrl)
  const env = {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: proxy.url,
    SOTTO_PROGRAM_ID: LOCAL_PROGRAM,
    SOTTO_KEYS: keys,
    SOTTO_PRICES_FILE: join(folder, 'prices.json'),
    SOTTO_DATABASE_URL: databaseUrl,
  } as const
  const setup = await setUp({
    ...{ adminFile, env, sizes: GENEROUS, treasury },
    folders: { keys, prices: env.SOTTO_PRICES_FILE, commands: join(folder, 'set-up.jsonl') },
  })
  const serving = {
    ...env,
    SOTTO_PORT: await freePort(),
    SOTTO_RATE_PER_SECOND: NO_LIMIT,
    SOTTO_RATE_BURST: NO_LIMIT,
    ...options.settings,
  }
  const run = (name: string, role: 'api' | 'worker') => {
    const process = new ServiceProcess({ role, env: serving, logFile: join(folder, `${name}.log`) })
    undo.push(() => process.stop())
    return process
  }
  const api = run('api', 'api')
  let added = 0
  const newWorker = () => {
    added += 1
    return run(`worker-${added}`, 'worker')
  }
  const workers = Array.from({ length: options.workers }, newWorker)
  const [{ baseUrl = '' }] = await Promise.all([api.start(), ...workers.map((one) => one.start())])
  return {
    ...{ chain, treasury, setup, proxy, databaseUrl, baseUrl, api, workers },
    program: LOCAL_PROGRAM as Address,
    addWorker: async () => {
      const worker = newWorker()
      await worker.start()
      return worker
    },
    advance: async (seconds) => {
      await callLocal(rpcUrl, 'localnet_advanceTime', [seconds])
    },
  }
}

/** Starts everything; what can't be started leaves nothing behind. */
export async function openStage(options: StageOptions): Promise<Stage> {
  const undo: Undo = []
  try {
    return { ...(await start(options, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
