import { Command } from 'commander'
import { NATIVE_MINT, type Address } from '@sotto/protocol'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { systemClock } from '../../src/adapters/clock/system-clock.ts'
import { openFileSecrets } from '../../src/adapters/keystore/file-secrets.ts'
import { systemRandom } from '../../src/adapters/random/system-random.ts'
import { createRpcClient, type ChainRpc } from '../../src/adapters/rpc/rpc-client.ts'
import { migrate } from '../../src/adapters/store/migrate.ts'
import type { Database } from '../../src/adapters/store/sql.ts'
import { registerAccountCommands } from '../../src/operator/account/account-commands.ts'
import { registerAssetCommands } from '../../src/operator/asset/asset-commands.ts'
import type { OperatorContext, WithContext } from '../../src/operator/context.ts'
import { registerFeeRecipientCommands } from '../../src/operator/account/fee-recipient-commands.ts'
import { registerInventoryCommands } from '../../src/operator/asset/inventory-commands.ts'
import { registerKeyCommands } from '../../src/operator/account/key-commands.ts'
import { registerPoolCommands } from '../../src/operator/pool/pool-commands.ts'
import type { Secrets } from '../../src/ports/secrets.ts'
import {
  PROGRAM,
  startLocalnetProcess,
  type LocalnetProcess,
} from '../settlement/stack/localnet-process.ts'
import { makeWallet, writeKeypair, type Wallet } from '../settlement/stack/wallet.ts'
import { startApi, UNLIMITED, type ServerOptions, type StartedApi } from './start-api.ts'
import { openMigrated } from '../migrated-database.ts'
import { FREE } from '../settlement/stack/run-operator.ts'

type Operate = <Result>(...words: string[]) => Promise<Result>

/** The API on a local chain, without workers. The operator's own commands have set up the pool. */
export interface HttpStack extends StartedApi {
  readonly apiKey: string
  readonly usdc: Address
  readonly sender: Wallet
  /** A wallet with an account for every asset, registered to receive the partner's share. */
  readonly partner: Wallet
  /** A wallet that screening refuses. */
  readonly denied: Wallet
  /** The keypair file of the pool's admin. */
  readonly adminFile: string
  /**
   * Sets the rate from SOL to USDC, which is the only rate. The unit is hundredths of a base unit of USDC for each
   * lamport.
   */
  readonly setRate: (hundredths: number) => Promise<void>
  readonly localnet: LocalnetProcess
  readonly rpc: ChainRpc
  readonly database: Database
  readonly secrets: Secrets
  readonly operate: Operate
  /** The API's settings. A replica uses the same settings. */
  readonly settings: Record<string, string>
  readonly close: () => Promise<void>
}

function operator(base: Omit<OperatorContext, 'out'>, secrets: Secrets): Operate {
  return async <Result>(...words: string[]) => {
    let printed: object | undefined
    const withContext: WithContext = (work) =>
      work({ ...base, out: (result) => (printed = result) })
    const program = new Command('sotto-server').exitOverride()
    registerPoolCommands(program, withContext)
    registerAssetCommands(program, withContext)
    registerInventoryCommands(program, withContext)
    registerAccountCommands(program, withContext)
    registerFeeRecipientCommands(program, withContext)
    const parts = { random: systemRandom, secrets: () => secrets, keyMode: () => 'test' as const }
    registerKeyCommands(program, withContext, parts)
    await program.parseAsync(words, { from: 'user' })
    return printed as Result
  }
}

const LIMITS = '--input-max 100000000000 --swap-cap 100000000000 --swap-period 3600 --swappable'
const SOL = `--symbol SOL --name Solana --network-fee-exists 100000 --network-fee-created 100000`
const USDC = `--symbol USDC --name Dollar --network-fee-exists 20000 --network-fee-created 350000`

async function setUpPool(operate: Operate, adminFile: string, authoriser: Address, usdc: Address) {
  const admin = ['--admin', adminFile]
  const init = ['--payer', adminFile, '--upgrade-authority', adminFile, '--authoriser', authoriser]
  await operate('pool', 'init', ...admin, ...init)
  for (const [mint, words, inventory] of [
    [NATIVE_MINT, SOL, '1000000000000'],
    [usdc, USDC, '2000000000'],
  ] as const) {
    const settings = `${words} --service-bps 20 ${LIMITS}`.split(' ')
    await operate('asset', 'add', ...admin, '--mint', mint, ...settings)
    await operate('inventory', 'add', ...admin, '--mint', mint, '--amount', inventory)
  }
}

async function fund(localnet: LocalnetProcess, rpc: ChainRpc, wallets: readonly Wallet[]) {
  for (const { address } of wallets) {
    await localnet.local('requestAirdrop', [address, 5_000_000_000_000])
    for (;;) {
      const { value } = await rpc.getBalance(address, { commitment: 'confirmed' }).send()
      if (value > 0n) break
      await systemClock.sleep(50)
    }
  }
}

/**
 * Starts a local chain with funded wallets and a second asset. `programs` are additional programs, as
 * `<address>=<file>`.
 */
async function startFundedChain(
  wallets: readonly Wallet[],
  admin: Wallet,
  programs: readonly string[],
  chainOptions: readonly string[],
) {
  const localnet = await startLocalnetProcess(admin.address, programs, chainOptions)
  const rpc = createRpcClient(localnet.rpcUrl)
  await fund(localnet, rpc, wallets)
  const mint = { decimals: 6, symbol: 'USDC' }
  const { mint: usdc } = await localnet.local<{ mint: Address }>('localnet_createMint', [mint])
  for (const { address } of wallets) {
    await localnet.local('localnet_mintTokens', [address, usdc, '1000000000000'])
  }
  return { localnet, rpc, usdc }
}

/** Creates an account, registers its partner wallet, and returns a new API key. */
async function setUpAccount(operate: Operate, partner: Wallet): Promise<string> {
  await operate('account', 'add', '--id', 'acme', '--name', 'Acme', '--fee-bps-max', '100')
  await operate('fee-recipient', 'add', '--account', 'acme', '--address', partner.address)
  return (await operate<{ apiKey: string }>('key', 'add', '--account', 'acme')).apiKey
}

export async function startHttpStack(
  openDatabase: () => Promise<Database> = () => openMigrated(),
  limits: ServerOptions = UNLIMITED,
  programs: readonly string[] = [],
  chainOptions: readonly string[] = [],
): Promise<HttpStack> {
  const folder = await mkdtemp(join(tmpdir(), 'sotto-http-'))
  const keys = join(folder, 'keys')
  await mkdir(keys)
  const admin = makeWallet()
  const authoriser = makeWallet()
  const sender = makeWallet()
  const partner = makeWallet()
  const adminFile = join(folder, 'admin.json')
  await writeKeypair(adminFile, admin)
  await writeKeypair(join(keys, 'authoriser.json'), authoriser)
  const [chain, database] = await Promise.all([
    startFundedChain([admin, sender, partner], admin, programs, chainOptions),
    openDatabase(),
  ])
  const { localnet, rpc, usdc } = chain
  await migrate(database)
  const secrets = openFileSecrets(keys, systemRandom)
  const context = { rpc, program: PROGRAM, database, clock: systemClock, prices: FREE }
  const operate = operator(context, secrets)
  await setUpPool(operate, adminFile, authoriser.address, usdc)
  const apiKey = await setUpAccount(operate, partner)
  const pricesFile = join(folder, 'prices.json')
  const setRate = async (hundredths: number) => {
    const pair = { source: NATIVE_MINT, destination: usdc }
    const rate = { ...pair, numerator: `${hundredths}`, denominator: '100' }
    await writeFile(pricesFile, JSON.stringify({ rates: [rate] }))
  }
  await setRate(15)
  const denied = makeWallet()
  const denyFile = join(folder, 'denied')
  await writeFile(denyFile, `${denied.address}\n`)
  const settings = {
    SOTTO_RPC_URL: localnet.rpcUrl,
    SOTTO_PROGRAM_ID: PROGRAM,
    SOTTO_CLUSTER: 'localnet',
    SOTTO_KEYS: keys,
    SOTTO_PRICES_FILE: pricesFile,
    SOTTO_DENY_LIST_FILE: denyFile,
  }
  const api = await startApi({ database, rpc, secrets }, settings, limits)
  return {
    ...{ ...api, apiKey, usdc, sender, partner, denied, adminFile, setRate },
    ...{ localnet, rpc, database, secrets, operate, settings },
    close: async () => {
      await api.stop()
      await Promise.all([localnet.stop(), database.close()])
      await rm(folder, { recursive: true })
    },
  }
}
