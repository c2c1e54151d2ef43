import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { GENEROUS } from '../../demo/src/sizes.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../../demo/src/stack/services.ts'
import { setUp, type Setup } from '../../demo/src/stack/set-up.ts'
import { startPostgres, type StartedPostgres } from '../../packages/server/tests/start-postgres.ts'

export const ENGINES = ['PostgreSQL', 'PGlite'] as const
export type Engine = (typeof ENGINES)[number]

export type Settings = Readonly<Record<`SOTTO_${string}`, string>>

/** A chain and databases that an operator has set up, without a running service. */
export interface Ground {
  readonly chain: Chain
  /** The settings of a service, for each requested database. */
  readonly settings: Readonly<Partial<Record<Engine, Settings>>>
  /** The result of setting up the service on the first database. */
  readonly setup: Setup
  /**
   * Creates another empty database of this kind. Returns the URL of a PostgreSQL database, or the folder of a PGlite
   * database.
   */
  readonly emptyDatabase: (engine: Engine) => Promise<string>
  readonly close: () => Promise<void>
}

/** The highest value that the configuration accepts for a limit. No benchmark reaches it. */
const NO_LIMIT = '100000'

type Undo = (() => Promise<unknown>)[]

async function undoAll(steps: Undo): Promise<void> {
  for (const step of steps.reverse()) await step()
}

/**
 * Returns a function that creates databases. All PostgreSQL databases are on one server, which starts with the first
 * database.
 */
function databaseMaker(folder: string, undo: Undo): (engine: Engine) => Promise<string> {
  let server: StartedPostgres | undefined
  let folders = 0
  return async (engine) => {
    if (engine === 'PGlite') return join(folder, `data-${(folders += 1)}`)
    if (server === undefined) {
      server = await startPostgres()
      undo.push(server.stop)
    }
    return server.createDatabase()
  }
}

const settingOf = (engine: Engine, database: string): Settings =>
  engine === 'PGlite' ? { SOTTO_DATA: database } : { SOTTO_DATABASE_URL: database }

async function open(folder: string, engines: readonly Engine[], undo: Undo) {
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  const adminFile = join(keys, 'admin.json')
  const { address } = await keypairFile(adminFile)
  const localnet = await startLocalnet({ port: 0, upgradeAuthority: address })
  undo.push(localnet.stop)
  const { rpcUrl } = localnet.ready
  const chain = new Chain(rpcUrl)
  const prices = join(folder, 'prices.json')
  const emptyDatabase = databaseMaker(folder, undo)
  const settings: Partial<Record<Engine, Settings>> = {}
  let setup: Setup | undefined
  for (const engine of engines) {
    const env = {
      SOTTO_CLUSTER: 'localnet',
      SOTTO_RPC_URL: rpcUrl,
      SOTTO_PROGRAM_ID: LOCAL_PROGRAM,
      SOTTO_KEYS: keys,
      SOTTO_PRICES_FILE: prices,
      ...settingOf(engine, await emptyDatabase(engine)),
    } as const
    const folders = { keys, prices, commands: join(folder, 'set-up.jsonl') }
    const treasury = localTreasury(chain, rpcUrl)
    const made = await setUp({ adminFile, env, sizes: GENEROUS, treasury, folders })
    setup ??= made
    const limits = { SOTTO_RATE_PER_SECOND: NO_LIMIT, SOTTO_RATE_BURST: NO_LIMIT }
    settings[engine] = { ...env, ...limits, SOTTO_PORT: '0' }
  }
  if (setup === undefined) throw new Error('openGround needs at least one database')
  return { chain, settings, setup, emptyDatabase }
}

/** Starts a chain and databases, and sets up the service on each database. No other run may use `folder`. */
export async function openGround(folder: string, engines: readonly Engine[]): Promise<Ground> {
  const undo: Undo = []
  try {
    return { ...(await open(folder, engines, undo)), close: () => undoAll(undo) }
  } catch (error) {
    await undoAll(undo)
    throw error
  }
}
