import type { Address } from '@solana/kit'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../../demo/src/chain.ts'
import { GENEROUS } from '../../demo/src/sizes.ts'
import { callLocal } from '../../demo/src/stack/call-local.ts'
import { keypairFile } from '../../demo/src/stack/keypair-file.ts'
import { localTreasury } from '../../demo/src/stack/local-treasury.ts'
import { LOCAL_PROGRAM, startLocalnet } from '../../demo/src/stack/services.ts'
import { setUp, type Setup } from '../../demo/src/stack/set-up.ts'
import type { Treasury } from '../../demo/src/stack/treasury.ts'

/** The environment of the service: a chain, a database, and the operator's one-time set-up. */
export interface Ground {
  /** The chain as users see it. */
  readonly chain: Chain
  readonly program: Address
  readonly treasury: Treasury
  readonly setup: Setup
  /** The settings that all processes of the service share. */
  readonly env: Readonly<Record<`SOTTO_${string}`, string>>
  /** The URL of the database; empty if the service uses its embedded database. */
  readonly databaseUrl: string
  /** Advances the chain's time: immediately if `isTimeOurs` is true, otherwise by waiting. */
  readonly advance: (seconds: number) => Promise<void>
  /** True for the embedded chain. On a validator, the time can't be advanced. */
  readonly isTimeOurs: boolean
}

/** A chain with the deployed program, and a wallet that funds all other wallets. */
export interface GroundChain extends Pick<Ground, 'chain' | 'program' | 'treasury'> {
  readonly rpcUrl: string
  /** Keypair file of the upgrade authority, who becomes the pool's admin. */
  readonly adminFile: string
  readonly advance: (seconds: number) => Promise<void>
  readonly isTimeOurs: boolean
}

export interface GroundOptions {
  /** The folder for this run's keys and logs. */
  readonly folder: string
  readonly slotMs: number
  /** Starts the chain; by default the embedded chain. */
  readonly openChain?: (keys: string, undo: Undo) => Promise<GroundChain>
  /** Starts an empty database and returns its URL. Without this function, the service uses its embedded database. */
  readonly openDatabase?: (undo: Undo) => Promise<string>
  /** The endpoint that the service uses instead of the node itself. */
  readonly nodeFor?: (rpcUrl: string, undo: Undo) => Promise<string>
}

/**
 * The clean-up functions of everything that was started, in the order of the starts. `undoAll` runs them in reverse
 * order.
 */
export type Undo = (() => Promise<unknown>)[]

export async function undoAll(steps: Undo): Promise<void> {
  for (const step of steps.reverse()) await step()
}

/** Opens the embedded chain, with this slot time. */
async function openEmbedded(slotMs: number, keys: string, undo: Undo): Promise<GroundChain> {
  const adminFile = join(keys, 'admin.json')
  const { address } = await keypairFile(adminFile)
  const more = ['--slot-ms', String(slotMs)]
  const localnet = await startLocalnet({ port: 0, upgradeAuthority: address, more })
  undo.push(localnet.stop)
  const { rpcUrl } = localnet.ready
  const chain = new Chain(rpcUrl)
  const advance = async (seconds: number) => {
    await callLocal(rpcUrl, 'localnet_advanceTime', [seconds])
  }
  return {
    ...{ rpcUrl, chain, adminFile, advance, isTimeOurs: true },
    treasury: localTreasury(chain, rpcUrl),
    program: LOCAL_PROGRAM as Address,
  }
}

/** Starts a chain and a database, and sets up the service on them. `undo` receives the clean-up functions. */
export async function openGround(options: GroundOptions, undo: Undo): Promise<Ground> {
  const { folder, slotMs } = options
  const keys = join(folder, 'keys')
  await mkdir(keys, { recursive: true, mode: 0o700 })
  const { openChain = (...given) => openEmbedded(slotMs, ...given) } = options
  const { rpcUrl, adminFile, ...opened } = await openChain(keys, undo)
  const databaseUrl = (await options.openDatabase?.(undo)) ?? ''
  const database: Ground['env'] =
    databaseUrl === '' ? { SOTTO_DATA: join(folder, 'data') } : { SOTTO_DATABASE_URL: databaseUrl }
  const env = {
    SOTTO_CLUSTER: 'localnet',
    SOTTO_RPC_URL: (await options.nodeFor?.(rpcUrl, undo)) ?? rpcUrl,
    SOTTO_PROGRAM_ID: opened.program,
    SOTTO_KEYS: keys,
    SOTTO_PRICES_FILE: join(folder, 'prices.json'),
    ...database,
  } as const
  const setup = await setUp({
    ...{ adminFile, env, sizes: GENEROUS, treasury: opened.treasury },
    folders: { keys, prices: env.SOTTO_PRICES_FILE, commands: join(folder, 'set-up.jsonl') },
  })
  return { ...opened, setup, env, databaseUrl }
}
