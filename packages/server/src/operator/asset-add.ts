import { addAssetInstruction, type Address, type Amount } from '@sotto/protocol'
import type { Command } from 'commander'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import { tryReadAsset } from './asset-account.ts'
import { tryInsertAsset } from './asset-row.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { readPool } from './pool-account.ts'
import {
  parseAddressOption,
  parseAmountOption,
  parseBpsOption,
  parseSecondsOption,
} from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'
import { readTokenMint } from './token-mint.ts'

interface Options {
  readonly admin: string
  readonly mint: Address
  readonly symbol: string
  readonly name: string
  readonly serviceBps: number
  readonly networkFeeExists: Amount
  readonly networkFeeCreated: Amount
  readonly inputMax: Amount
  readonly swapCap: Amount
  readonly swapPeriod: number
  readonly swappable: boolean
}

export function registerAssetAdd(asset: Command, withContext: WithContext): void {
  asset
    .command('add')
    .description('Add an asset on chain and to the service; repeatable. Amounts in base units.')
    .requiredOption('--admin <keypair>', "the pool's admin, who pays the rent: a keypair file")
    .requiredOption(
      '--mint <address>',
      "the mint; wrapped SOL's for native SOL",
      parseAddressOption,
    )
    .requiredOption('--symbol <symbol>', 'as partners show it')
    .requiredOption('--name <name>', 'as partners show it')
    .requiredOption('--service-bps <bps>', "the service's own fee", parseBpsOption)
    .requiredOption(
      '--network-fee-exists <amount>',
      'network fee where the recipient has an account',
      parseAmountOption,
    )
    .requiredOption(
      '--network-fee-created <amount>',
      'network fee where it must be made',
      parseAmountOption,
    )
    .requiredOption('--input-max <amount>', 'greatest deposit', parseAmountOption)
    .requiredOption('--swap-cap <amount>', 'what swaps may pay out per period', parseAmountOption)
    .requiredOption('--swap-period <seconds>', 'length of the period', parseSecondsOption)
    .option('--swappable', 'offers the asset for swaps', false)
    .action((options: Options) => withContext((context) => addAsset(context, options)))
}

async function addAsset(context: OperatorContext, options: Options): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint } = options
  await readPool(rpc, program)
  const { kind, decimals, tokenProgram, isFreezable } = await readTokenMint(rpc, mint)
  const existing = await tryReadAsset(rpc, program, mint)
  if (existing === undefined) {
    const admin = await readFileSigner(options.admin)
    const at = { program, admin: admin.address, payer: admin.address, mint, tokenProgram }
    const limits = {
      depositMax: options.inputMax,
      swapCap: options.swapCap,
      swapPeriodSeconds: options.swapPeriod,
    }
    await run([admin], [await addAssetInstruction(at, limits)])
  }
  const row = {
    mint,
    symbol: options.symbol,
    name: options.name,
    decimals,
    kind,
    serviceBps: options.serviceBps,
    networkFeeExists: options.networkFeeExists,
    networkFeeCreated: options.networkFeeCreated,
    inputMax: options.inputMax,
    isSwappable: options.swappable,
  }
  const isNewRow = await tryInsertAsset(context.database, row, context.clock.nowMs())
  const existed = { existedOnChain: existing !== undefined, existed: !isNewRow }
  context.out({ mint, kind, decimals, isFreezable, ...existed })
}
