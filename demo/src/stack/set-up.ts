import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { TERMS } from '../market-terms.ts'
import type { Sizes } from '../sizes.ts'
import { keypairFile } from './keypair-file.ts'
import { operateAll, type ServerEnvironment } from './services.ts'
import type { Treasury } from './treasury.ts'

const RELAYERS = 2
const PERIOD_SECONDS = '3600'

/** The data of a stack that the operator's commands have set up. */
export interface Setup {
  readonly apiKey: string
  /** The API key of the send page's own account. That account charges no partner fee. */
  readonly sendPageKey: string
  readonly usdc: Address
  readonly partner: Address
  readonly relayers: readonly Address[]
}

const pricesFor = (usdc: Address) => {
  const { numerator, denominator } = TERMS.price
  return {
    rates: [
      {
        source: NATIVE_MINT,
        destination: usdc,
        numerator: `${numerator}`,
        denominator: `${denominator}`,
      },
      {
        source: usdc,
        destination: NATIVE_MINT,
        numerator: `${denominator}`,
        denominator: `${numerator}`,
      },
    ],
  }
}

async function fundRelayers({ folders, treasury, sizes }: SetUpOptions): Promise<Address[]> {
  const numbers = Array.from({ length: RELAYERS }, (_, index) => index + 1)
  const relayers: Address[] = []
  for (const number of numbers) {
    relayers.push(
      (await keypairFile(join(folders.keys, 'relayers', `relayer-${number}.json`))).address,
    )
  }
  await Promise.all(relayers.map((relayer) => treasury.fund(relayer, sizes.relayerLamports)))
  return relayers
}

type Line = readonly string[]

function assetLines({ adminFile, sizes }: SetUpOptions, usdc: Address): Line[] {
  const common = ['--admin', adminFile, '--service-bps', `${TERMS.serviceBps}`, '--swappable']
  const limits = (cap: bigint): Line => [
    ...['--input-max', '100000000000', '--swap-cap', `${cap}`, '--swap-period', PERIOD_SECONDS],
  ]
  const add = (mint: Address, symbol: string, name: string, ...rest: string[]): Line => [
    ...['asset', 'add', '--mint', mint, '--symbol', symbol, '--name', name],
    ...common,
    ...rest,
  ]
  const fees = (exists: bigint, created: bigint): Line => [
    ...['--network-fee-exists', `${exists}`, '--network-fee-created', `${created}`],
  ]
  const solFees = fees(TERMS.solNetworkFee, TERMS.solNetworkFee)
  const usdcFees = fees(TERMS.tokenNetworkFee.exists, TERMS.tokenNetworkFee.created)
  const stock = (mint: Address, amount: bigint): Line => [
    ...['inventory', 'add', '--admin', adminFile, '--mint', mint, '--amount', `${amount}`],
  ]
  return [
    add(NATIVE_MINT, 'SOL', 'Solana', ...solFees, ...limits(sizes.solInventory)),
    add(usdc, 'USDC', 'USD Coin (test)', ...usdcFees, ...limits(sizes.tokenInventory)),
    stock(NATIVE_MINT, sizes.solInventory),
    stock(usdc, sizes.tokenInventory),
  ]
}

export interface SetUpOptions {
  /** Keypair file of the pool's admin, who is also the program's upgrade authority. */
  readonly adminFile: string
  readonly treasury: Treasury
  readonly sizes: Sizes
  /** The wallet that receives the partner's share. The default is a new wallet. */
  readonly feeWallet?: Address
  readonly folders: { readonly keys: string; readonly prices: string; readonly commands: string }
  readonly env: ServerEnvironment
}

/**
 * Creates keys, funds wallets, and runs the operator's commands: pool, assets, inventory, account, API key, fee
 * recipient. Every step can be repeated safely.
 */
export async function setUp(options: SetUpOptions): Promise<Setup> {
  const { adminFile, treasury, sizes, folders, env } = options
  await mkdir(folders.keys, { recursive: true, mode: 0o700 })
  const admin = await keypairFile(adminFile)
  const authoriser = await keypairFile(join(folders.keys, 'authoriser.json'))
  const partner =
    options.feeWallet ?? (await keypairFile(join(folders.keys, 'partner.json'))).address
  const [usdc, relayers] = await Promise.all([
    treasury.createToken(),
    fundRelayers(options),
    treasury.fund(admin.address, sizes.adminLamports),
    treasury.fund(partner, sizes.solHeld),
  ])
  await Promise.all([
    treasury.mint(admin.address, usdc, sizes.tokenInventory),
    treasury.mint(partner, usdc, 1n),
  ])
  await writeFile(folders.prices, JSON.stringify(pricesFor(usdc)))

  const lines: Line[] = [
    [
      ...['pool', 'init', '--admin', adminFile, '--payer', adminFile],
      ...['--upgrade-authority', adminFile, '--authoriser', authoriser.address],
    ],
    ...assetLines(options, usdc),
    [
      ...['account', 'add', '--id', 'local', '--name', 'Local partner', '--fee-bps-max', '100'],
      // The limit is high for benchmarks, which leave many thousands of orders unpaid.
      ...['--open-orders-max', '1000000'],
    ],
    ['fee-recipient', 'add', '--account', 'local', '--address', partner],
    ['key', 'add', '--account', 'local', '--mode', 'test'],
    ['account', 'add', '--id', 'send-page', '--name', 'Send page', '--fee-bps-max', '0'],
    ['key', 'add', '--account', 'send-page', '--mode', 'test'],
  ]
  const results = await operateAll(env, folders.commands, lines)
  const keys = results.flatMap((result) => ('apiKey' in result ? [String(result.apiKey)] : []))
  const [apiKey = '', sendPageKey = ''] = keys
  return { apiKey, sendPageKey, usdc, partner, relayers }
}
