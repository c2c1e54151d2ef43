import { NATIVE_MINT } from '@sotto/protocol'
import type { Address } from '@solana/kit'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Chain } from '../chain.ts'
import { keypairFile } from './keypair-file.ts'
import { operateAll, type ServerEnvironment } from './services.ts'

const RELAYERS = 2
const ADMIN_LAMPORTS = 10_000_000_000_000n
const RELAYER_LAMPORTS = 100_000_000_000n

/** What a local stack needs to run, made by the operator's own commands. */
export interface LocalSetup {
  readonly apiKey: string
  readonly usdc: Address
  readonly partner: Address
  readonly relayers: readonly Address[]
}

/** One SOL costs 150 USDC on the local chain: base units of nine and of six decimals. */
const pricesFor = (usdc: Address) => ({
  rates: [
    { source: NATIVE_MINT, destination: usdc, numerator: '15', denominator: '100' },
    { source: usdc, destination: NATIVE_MINT, numerator: '100', denominator: '15' },
  ],
})

async function fundRelayers(chain: Chain, keys: string): Promise<Address[]> {
  const relayers: Address[] = []
  for (let number = 1; number <= RELAYERS; number += 1) {
    const signer = await keypairFile(join(keys, 'relayers', `relayer-${number}.json`))
    await chain.airdrop(signer.address, RELAYER_LAMPORTS)
    relayers.push(signer.address)
  }
  return relayers
}

type Line = readonly string[]

function assetLines(admin: string, usdc: Address): Line[] {
  const common = ['--admin', admin, '--service-bps', '20', '--swap-period', '3600', '--swappable']
  const add = (mint: Address, symbol: string, name: string, ...rest: string[]): Line => [
    ...['asset', 'add', '--mint', mint, '--symbol', symbol, '--name', name],
    ...common,
    ...rest,
  ]
  const solFees = ['--network-fee-exists', '100000', '--network-fee-created', '100000']
  const usdcFees = ['--network-fee-exists', '20000', '--network-fee-created', '350000']
  const stock = (mint: Address, amount: string): Line => [
    ...['inventory', 'add', '--admin', admin, '--mint', mint, '--amount', amount],
  ]
  return [
    add(
      NATIVE_MINT,
      'SOL',
      'Solana',
      ...solFees,
      '--input-max',
      '100000000000',
      '--swap-cap',
      '1000000000000',
    ),
    add(
      usdc,
      'USDC',
      'USD Coin (local)',
      ...usdcFees,
      '--input-max',
      '100000000000',
      '--swap-cap',
      '100000000000',
    ),
    stock(NATIVE_MINT, '1000000000000'),
    stock(usdc, '100000000000'),
  ]
}

/**
 * Makes keys, funds wallets and runs the operator's commands: pool, assets, inventory, account, API
 * key, fee recipient. Every step may be repeated.
 */
export async function setUp(
  rpcUrl: string,
  folders: { readonly keys: string; readonly prices: string; readonly commands: string },
  env: ServerEnvironment,
): Promise<LocalSetup> {
  const chain = new Chain(rpcUrl)
  await mkdir(folders.keys, { recursive: true, mode: 0o700 })
  const adminFile = join(folders.keys, 'admin.json')
  const admin = await keypairFile(adminFile)
  const authoriser = await keypairFile(join(folders.keys, 'authoriser.json'))
  const partner = await keypairFile(join(folders.keys, 'partner.json'))
  await chain.airdrop(admin.address, ADMIN_LAMPORTS)
  await chain.airdrop(partner.address, 1_000_000_000n)
  const relayers = await fundRelayers(chain, folders.keys)
  const { mint: usdc } = await chain.local<{ mint: Address }>('localnet_createMint', [
    { decimals: 6, symbol: 'USDC' },
  ])
  await chain.local('localnet_mintTokens', [admin.address, usdc, '1000000000000'])
  await chain.local('localnet_mintTokens', [partner.address, usdc, '1'])
  await writeFile(folders.prices, JSON.stringify(pricesFor(usdc)))

  const lines: Line[] = [
    [
      ...['pool', 'init', '--admin', adminFile, '--payer', adminFile],
      ...['--upgrade-authority', adminFile, '--authoriser', authoriser.address],
    ],
    ...assetLines(adminFile, usdc),
    ['account', 'add', '--id', 'local', '--name', 'Local partner', '--fee-bps-max', '100'],
    ['fee-recipient', 'add', '--account', 'local', '--address', partner.address],
    ['key', 'add', '--account', 'local', '--mode', 'test'],
  ]
  const results = await operateAll(env, folders.commands, lines)
  const { apiKey } = results.at(-1) as { apiKey: string }
  return { apiKey, usdc, partner: partner.address, relayers }
}
