import { amount, setAssetInstruction, type Address, type Amount } from '@sotto/protocol'
import type { Command } from 'commander'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import { readAsset } from './asset-account.ts'
import { tryUpdateAsset } from './asset-row.ts'
import { OperatorError, type OperatorContext, type WithContext } from './context.ts'
import {
  parseAddressOption,
  parseAmountOption,
  parseBpsOption,
  parseSecondsOption,
  parseSwitchOption,
  parseTariffOption,
} from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'

interface Options {
  readonly mint: Address
  readonly admin?: string
  readonly symbol?: string
  readonly name?: string
  readonly serviceBps?: number
  readonly networkFeeExists?: Amount
  readonly networkFeeCreated?: Amount
  readonly tariff?: 'fixed' | 'automatic'
  readonly swappable?: boolean
  readonly inputMax?: Amount
  readonly swapCap?: Amount
  readonly swapPeriod?: number
  readonly pauseDeposits?: boolean
}

export function registerAssetSet(asset: Command, withContext: WithContext): void {
  asset
    .command('set')
    .description('Change an asset; what is not named stays. Notes are not touched.')
    .requiredOption('--mint <address>', 'the mint', parseAddressOption)
    .option('--admin <keypair>', 'needed for what stands on chain: limits and pause')
    .option('--symbol <symbol>', 'as partners show it')
    .option('--name <name>', 'as partners show it')
    .option('--service-bps <bps>', "the service's own fee", parseBpsOption)
    .option('--network-fee-exists <amount>', 'network fee, account exists', parseAmountOption)
    .option('--network-fee-created <amount>', 'network fee, account is made', parseAmountOption)
    .option(
      '--tariff <fixed|automatic>',
      'automatic: network fees follow what deliveries cost, in round figures, at most hourly',
      parseTariffOption,
    )
    .option('--swappable <on|off>', 'offers the asset for swaps', parseSwitchOption)
    .option('--input-max <amount>', 'greatest deposit; on chain', parseAmountOption)
    .option('--swap-cap <amount>', 'what swaps may pay out per period; on chain', parseAmountOption)
    .option('--swap-period <seconds>', 'length of the period; on chain', parseSecondsOption)
    .option('--pause-deposits <on|off>', 'refuses deposits; on chain', parseSwitchOption)
    .action((options: Options) => withContext((context) => setAsset(context, options)))
}

async function setAsset(context: OperatorContext, options: Options): Promise<void> {
  const { mint, inputMax, swapCap, swapPeriod, pauseDeposits } = options
  const isOnChain = [inputMax, swapCap, swapPeriod, pauseDeposits].some(
    (value) => value !== undefined,
  )
  const signature = isOnChain ? await setOnChain(context, options) : null
  const change = { ...options, isSwappable: options.swappable }
  if (!(await tryUpdateAsset(context.database, mint, change, context.clock.nowMs()))) {
    throw new OperatorError('the service has no such asset: run `sotto-server asset add` first')
  }
  context.out({ mint, signature })
}

async function setOnChain(context: OperatorContext, options: Options): Promise<string> {
  if (options.admin === undefined) throw new OperatorError('limits and pause need --admin')
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint } = options
  const asset = await readAsset(rpc, program, mint)
  const admin = await readFileSigner(options.admin)
  const instruction = await setAssetInstruction(
    { program, admin: admin.address, mint },
    {
      depositsPaused: options.pauseDeposits ?? asset.depositsPaused,
      depositMax: options.inputMax ?? amount(asset.depositMax),
      swapCap: options.swapCap ?? amount(asset.swapCap),
      swapPeriodSeconds: options.swapPeriod ?? parseSecondsOption(`${asset.swapPeriodSeconds}`),
    },
  )
  return run([admin], [instruction])
}
