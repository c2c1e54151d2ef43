import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { GENEROUS } from '../../demo/src/sizes.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../../demo/src/stack/services.ts'
import { setUp, type Setup } from '../../demo/src/stack/set-up.ts'
import { startDatabases, type DatabaseKind } from './databases.ts'
import { launch } from './launch.ts'

/** The product as an operator runs it, on an embedded chain, with a key that no limit slows down. */
export interface Stage {
  readonly baseUrl: string
  readonly pid: number
  readonly setup: Setup
  /** A PostgreSQL's URL, or a folder, for the baseline's own rows. */
  readonly bareDatabase: string
  readonly close: () => Promise<void>
}

/** The greatest that the configuration takes. */
const NO_LIMIT = '100000'

/** Steps that undo what was started, run last first. */
type Undo = (() => Promise<unknown>)[]

async function undoAll(steps: Undo): Promise<void> {
  for (const step of steps.reverse()) await step()
}

async function start(kind: DatabaseKind, folder: string, undo: Undo) {
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  const adminFile = join(keys, 'admin.json')
  const { address } = await keypairFile(adminFile)
  const chain = await startLocalnet({ port: 0, upgradeAuthority: address })
  undo.push(chain.stop)
  const databases = await startDatabases(kind, folder)
  undo.push(databases.stop)
  const { rpcUrl } = chain.ready
  const env = {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: rpcUrl,
    SOTTO_PROGRAM_ID: LOCAL_PROGRAM,
    SOTTO_KEYS: keys,
    SOTTO_PRICES_FILE: join(folder, 'prices.json'),
    ...databases.product,
  }
  const setup = await setUp({
    ...{ adminFile, env, sizes: GENEROUS, treasury: localTreasury(new Chain(rpcUrl), rpcUrl) },
    folders: { keys, prices: env.SOTTO_PRICES_FILE, commands: join(folder, 'set-up.jsonl') },
  })
  const settings = {
    SOTTO_PORT: '0',
    SOTTO_RATE_PER_SECOND: NO_LIMIT,
    SOTTO_RATE_BURST: NO_LIMIT,
    // Quotes are made before the rounds that order them.
    SOTTO_QUOTE_SECONDS: '600',
  }
  const product = await launch<{ baseUrl: string }>({
    main: 'packages/server/src/main.ts',
    args: ['serve', '--json'],
    env: { ...env, ...settings },
    logFile: join(folder, 'product.log'),
  })
  undo.push(product.stop)
  return { baseUrl: product.ready.baseUrl, pid: product.pid, setup, bareDatabase: databases.bare }
}

/** Starts chain, database and product; `folder` is this run's own. */
export async function openStage(kind: DatabaseKind, folder: string): Promise<Stage> {
  const undo: Undo = []
  try {
    return { ...(await start(kind, folder, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
