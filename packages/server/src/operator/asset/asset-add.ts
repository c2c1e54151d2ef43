import { addAssetInstruction, type Address, type Amount } from '@sotto/protocol'
import type { Command } from 'commander'
import { assertSameLimits, assertSameRow } from './assert-same-asset.ts'
import { assertDecimals, assertTerms } from './assert-terms.ts'
import { findAsset } from './asset-account.ts'
import { tryInsertAsset } from './asset-row.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { openParty, withUnsigned, type UnsignedOption } from './party.ts'
import { readPool } from '../pool/pool-account.ts'
import {
  parseAddressOption,
  parseAmountOption,
  parseBpsOption,
  parseSecondsOption,
} from '../pool/pool-options.ts'
import { openOperatorChain } from '../pool/pool-transaction.ts'
import { readAgreedMint } from './token-mint.ts'

interface Options extends UnsignedOption {
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
  const command = asset
    .command('add')
    .description(
      'Add an asset on chain and to the service. The command can be repeated with the same settings. Amounts are in base units. With --unsigned, run ' +
        'the command again once the transaction has landed, so that it also adds the asset to the service.',
    )
    .requiredOption('--admin <keypair>', "the pool's admin, who pays the rent: a keypair file")
    .requiredOption(
      '--mint <address>',
      'the mint; for native SOL, the mint of wrapped SOL',
      parseAddressOption,
    )
    .requiredOption('--symbol <symbol>', 'the symbol that partners show; only native SOL is SOL')
    .requiredOption('--name <name>', 'the name that partners show')
    .requiredOption('--service-bps <bps>', "the service's own fee; at most 1000", parseBpsOption)
    .requiredOption(
      '--network-fee-exists <amount>',
      'network fee if the recipient already has an account',
      parseAmountOption,
    )
    .requiredOption(
      '--network-fee-created <amount>',
      "network fee if the recipient's account must be created",
      parseAmountOption,
    )
    .requiredOption('--input-max <amount>', 'greatest deposit', parseAmountOption)
    .requiredOption(
      '--swap-cap <amount>',
      'the most that swaps may pay out in each period',
      parseAmountOption,
    )
    .requiredOption('--swap-period <seconds>', 'length of the period', parseSecondsOption)
    .option('--swappable', 'offers the asset for swaps', false)
  withUnsigned(command).action((options: Options) =>
    withContext((context) => addAsset(context, options)),
  )
}

async function addAsset(context: OperatorContext, options: Options): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint } = options
  assertTerms(options)
  await readPool(rpc, program)
  const { kind, decimals, tokenProgram, isFreezable } = await readAgreedMint(context, mint)
  assertDecimals(decimals)
  const row = { ...rowOf(options), decimals, kind }
  const limits = {
    depositMax: options.inputMax,
    swapCap: options.swapCap,
    swapPeriodSeconds: options.swapPeriod,
  }
  await assertSameRow(context.database, row)
  const existing = await findAsset(rpc, program, mint)
  if (existing === undefined) {
    const admin = await openParty(options.admin, options)
    const at = { program, admin: admin.address, payer: admin.address, mint, tokenProgram }
    const { unsigned } = await run([admin], [await addAssetInstruction(at, limits)])
    if (unsigned !== undefined) return context.out(unsigned)
  } else assertSameLimits(mint, existing, limits)
  const isNewRow = await tryInsertAsset(context.database, row, context.clock.nowMs())
  // Another command may have added the asset since the first comparison.
  if (!isNewRow) await assertSameRow(context.database, row)
  const existed = { existedOnChain: existing !== undefined, existed: !isNewRow }
  context.out({ mint, kind, decimals, isFreezable, ...existed })
}

const rowOf = (options: Options) => ({
  mint: options.mint,
  symbol: options.symbol,
  name: options.name,
  serviceBps: options.serviceBps,
  networkFeeExists: options.networkFeeExists,
  networkFeeCreated: options.networkFeeCreated,
  inputMax: options.inputMax,
  isSwappable: options.swappable,
})
