import { NATIVE_MINT, type Address, parseWhole } from '@sotto/protocol'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  sharedProcessProver,
  type SharedProcessProver,
} from '../../../../../testing/prover/shared-prover.ts'
import { until } from '../../../../../testing/patience/until.ts'
import { systemClock } from '../../../src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../../src/adapters/keystore/file-secrets.ts'
import { openProofVerifier } from '../../../src/adapters/prover/proof-verifier.ts'
import { systemRandom } from '../../../src/adapters/random/system-random.ts'
import { createRpcClient, type ChainRpc } from '../../../src/adapters/rpc/rpc-client.ts'
import { migrate } from '../../../src/adapters/store/migrate.ts'
import type { Database } from '../../../src/adapters/store/sql.ts'
import type { ProofVerifier } from '../../../src/ports/proof-verifier.ts'
import type { Secrets } from '../../../src/ports/secrets.ts'
import { PROGRAM, startLocalnetProcess, type LocalnetProcess } from './localnet-process.ts'
import { FREE, runOperator } from './run-operator.ts'
import { makeWallet, writeKeypair, type Wallet } from './wallet.ts'
import { openMigrated } from '../../migrated-database.ts'

/** A chain with a pool, a database and a prover, without the engine. */
export interface Stack {
  readonly localnet: LocalnetProcess
  readonly rpc: ChainRpc
  readonly database: Database
  readonly secrets: Secrets
  readonly prover: SharedProcessProver
  readonly verifier: ProofVerifier
  readonly admin: Wallet
  /** The admin's keypair file. */
  readonly adminFile: string
  readonly authoriser: Wallet
  readonly relayers: readonly Wallet[]
  readonly usdc: Address
  readonly tree: Address
  readonly domain: Uint8Array
  readonly airdrop: (to: Address, lamports: bigint) => Promise<void>
  readonly operate: <Result>(...words: string[]) => Promise<Result>
  readonly close: () => Promise<void>
}

/**
 * Starts a stack and sets up its pool with the operator's own commands. `programs` are loaded in addition to the
 * program file from the repository, as `<address>=<file>`.
 */
export async function startStack(
  openDatabase: () => Promise<Database> = () => openMigrated(),
  programs: readonly string[] = [],
): Promise<Stack> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-settlement-'))
  const admin = makeWallet()
  const adminFile = join(folder, 'admin.json')
  await writeKeypair(adminFile, admin)
  // The prover loads its key while the pool is set up.
  const starting = sharedProcessProver()
  starting.catch(() => undefined)
  const [localnet, database] = await Promise.all([
    startLocalnetProcess(admin.address, programs),
    openDatabase(),
  ])
  await migrate(database)
  const rpc = createRpcClient(localnet.rpcUrl)
  const airdrop = async (to: Address, lamports: bigint) => {
    await localnet.local('requestAirdrop', [to, parseWhole(`${lamports}`)])
    await waitUntil(async () => {
      const { value } = await rpc.getBalance(to, { commitment: 'confirmed' }).send()
      return value >= lamports
    })
  }
  const base = { rpc, program: PROGRAM, database, clock: systemClock, prices: FREE }
  const operate = <Result>(...words: string[]) => runOperator<Result>(base, ...words)
  const authoriser = makeWallet()
  const relayers = [makeWallet(), makeWallet()]
  await Promise.all([admin, ...relayers].map(({ address }) => airdrop(address, 500_000_000_000n)))
  const usdc = await makeAssets(localnet, operate, adminFile, admin, authoriser)
  const { tree, domain } = await operate<{ tree: Address; domain: string }>('pool', 'show')
  const prover = await starting
  return {
    localnet,
    rpc,
    database,
    prover,
    verifier: await openProofVerifier(),
    admin,
    adminFile,
    authoriser,
    relayers,
    usdc,
    tree,
    airdrop,
    operate,
    domain: new Uint8Array(Buffer.from(domain, 'hex')),
    secrets: openFileSecrets(folder, systemRandom),
    close: async () => {
      await Promise.all([localnet.stop(), database.close()])
      await rm(folder, { recursive: true })
    },
  }
}

async function makeAssets(
  localnet: LocalnetProcess,
  operate: Stack['operate'],
  adminFile: string,
  admin: Wallet,
  authoriser: Wallet,
): Promise<Address> {
  const { mint: usdc } = await localnet.local<{ mint: Address }>('localnet_createMint', [
    { decimals: 6, symbol: 'USDC' },
  ])
  await localnet.local('localnet_mintTokens', [admin.address, usdc, '1000000000000'])
  const init = ['pool', 'init', '--admin', adminFile, '--payer', adminFile]
  const keys = ['--upgrade-authority', adminFile, '--authoriser', authoriser.address]
  await operate(...init, ...keys)
  const symbols = [
    [NATIVE_MINT, 'SOL'],
    [usdc, 'USDC'],
  ] as const
  await Promise.all(symbols.map(([mint, symbol]) => makeAsset(operate, adminFile, mint, symbol)))
  return usdc
}

/** Adds an asset and fills its inventory. */
async function makeAsset(
  operate: Stack['operate'],
  adminFile: string,
  mint: Address,
  symbol: string,
): Promise<void> {
  const of = ['--admin', adminFile, '--mint', mint]
  await operate(
    ...['asset', 'add', ...of, '--symbol', symbol, '--name', symbol, '--service-bps', '20'],
    ...['--network-fee-exists', '1000', '--network-fee-created', '2000', '--swappable'],
    ...['--input-max', '100000000000', '--swap-cap', '100000000000', '--swap-period', '3600'],
  )
  await operate('inventory', 'add', ...of, '--amount', '50000000000')
}

/** Waits until a condition is true. If it is never true, the test fails instead of hanging. */
export const waitUntil = (condition: () => Promise<boolean>): Promise<void> => until(condition)
