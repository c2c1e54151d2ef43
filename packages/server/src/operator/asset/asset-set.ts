import { setAssetInstruction, type Address, type Amount, type AssetAccount } from '@sotto/protocol'
import type { Command } from 'commander'
import { assertTerms } from './assert-terms.ts'
import { readAsset } from './asset-account.ts'
import { isListed, updateAsset } from './asset-row.ts'
import type { OperatorContext, WithContext } from '../context.ts'
import { OperatorError } from '../../start/operator-error.ts'
import { openParty, withUnsigned, type UnsignedOption } from './party.ts'
import {
  parseAddressOption,
  parseAmountOption,
  parseBpsOption,
  parseSecondsOption,
  parseSwitchOption,
  parseTariffOption,
} from '../pool/pool-options.ts'
import { assertAllNamed, switchText } from '../pool/assert-all-named.ts'
import { openOperatorChain, type Outcome } from '../pool/pool-transaction.ts'

interface Options extends UnsignedOption {
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
  const command = asset
    .command('set')
    .description(
      'Change an asset. Settings that are not named stay unchanged, and existing notes are not affected. With --unsigned, name all limits and ' +
        'the pause if you change one of them, and run the command again once the transaction has landed, so that it also changes the service.',
    )
    .requiredOption('--mint <address>', 'the mint', parseAddressOption)
    .option(
      '--admin <keypair>',
      "the pool's admin: a keypair file; needed to change limits or pause, which are on chain",
    )
    .option('--symbol <symbol>', 'the symbol that partners show')
    .option('--name <name>', 'the name that partners show')
    .option('--service-bps <bps>', "the service's own fee; at most 1000", parseBpsOption)
    .option(
      '--network-fee-exists <amount>',
      'network fee if the recipient already has an account',
      parseAmountOption,
    )
    .option(
      '--network-fee-created <amount>',
      "network fee if the recipient's account must be created",
      parseAmountOption,
    )
    .option(
      '--tariff <fixed|automatic>',
      'automatic: network fees follow the cost of deliveries, in round figures, and change at most once an hour',
      parseTariffOption,
    )
    .option('--swappable <on|off>', 'offers the asset for swaps', parseSwitchOption)
    .option('--input-max <amount>', 'greatest deposit; on chain', parseAmountOption)
    .option(
      '--swap-cap <amount>',
      'the most that swaps may pay out in each period; on chain',
      parseAmountOption,
    )
    .option('--swap-period <seconds>', 'length of the period; on chain', parseSecondsOption)
    .option('--pause-deposits <on|off>', 'refuses deposits; on chain', parseSwitchOption)
  withUnsigned(command).action((options: Options) =>
    withContext((context) => setAsset(context, options)),
  )
}

async function setAsset(context: OperatorContext, options: Options): Promise<void> {
  const { mint, inputMax, swapCap, swapPeriod, pauseDeposits } = options
  const isOnChain = [inputMax, swapCap, swapPeriod, pauseDeposits].some(
    (value) => value !== undefined,
  )
  assertTerms(options)
  const { database, clock } = context
  const isInRow = !isOnChain || ROW_OPTIONS.some((name) => options[name] !== undefined)
  if (isInRow && !(await isListed(database, mint))) throw notListed()
  const outcome = isOnChain ? await setOnChain(context, options) : undefined
  if (outcome?.unsigned !== undefined) return context.out(outcome.unsigned)
  const change = { ...options, isSwappable: options.swappable }
  if (isInRow && !(await updateAsset(database, mint, change, clock.nowMs()))) throw notListed()
  context.out({ mint, signature: outcome?.signature ?? null })
}

/** The options whose values are in the service's own table of assets. */
const ROW_OPTIONS = [
  ...(['symbol', 'name', 'serviceBps', 'networkFeeExists', 'networkFeeCreated'] as const),
  ...(['tariff', 'swappable', 'inputMax'] as const),
]

const notListed = (): OperatorError =>
  new OperatorError('the service has no such asset: run `sotto-server asset add` first')

/**
 * Changes the asset on the chain. Returns undefined if the chain already has these values, for example because others
 * have signed and sent the transaction.
 */
async function setOnChain(
  context: OperatorContext,
  options: Options,
): Promise<Outcome | undefined> {
  if (options.admin === undefined)
    throw new OperatorError('limits and pause can only be changed with --admin')
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint } = options
  const asset = await readAsset(rpc, program, mint)
  const wanted = termsOf(asset, options)
  const isSo =
    asset.depositsPaused === wanted.depositsPaused &&
    asset.depositMax === wanted.depositMax &&
    asset.swapCap === wanted.swapCap &&
    `${asset.swapPeriodSeconds}` === `${wanted.swapPeriodSeconds}`
  if (isSo) return undefined
  if (options.unsigned === true) {
    assertAllNamed([
      ['--pause-deposits', options.pauseDeposits, switchText(asset.depositsPaused)],
      ['--input-max', options.inputMax, `${asset.depositMax}`],
      ['--swap-cap', options.swapCap, `${asset.swapCap}`],
      ['--swap-period', options.swapPeriod, `${asset.swapPeriodSeconds}`],
    ])
  }
  const admin = await openParty(options.admin, options)
  const at = { program, admin: admin.address, mint }
  return run([admin], async () => [
    await setAssetInstruction(at, termsOf(await readAsset(rpc, program, mint), options)),
  ])
}

const termsOf = (present: AssetAccount, options: Options) => ({
  depositsPaused: options.pauseDeposits ?? present.depositsPaused,
  depositMax: options.inputMax ?? present.depositMax,
  swapCap: options.swapCap ?? present.swapCap,
  swapPeriodSeconds: options.swapPeriod ?? parseSecondsOption(`${present.swapPeriodSeconds}`),
})
