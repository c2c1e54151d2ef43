import { setConfigInstruction, TIME_GRID_SECONDS, type PoolAccount } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
import { assertAllNamed, switchText } from './assert-all-named.ts'
import { readPool } from './pool-account.ts'
import { parseSecondsOption, parseSwitchOption } from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'

interface Options extends UnsignedOption {
  readonly admin: string
  readonly newAdmin?: string
  readonly pauseDeposits?: boolean
  readonly maxDepositSeconds?: number
}

export function registerPoolConfig(pool: Command, withContext: WithContext): void {
  const command = pool
    .command('config')
    .description(
      'Change pause, limits or admin. Settings that are not named stay unchanged, and existing notes are not affected. ' +
        'With --unsigned, name both the pause and the limit.',
    )
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .option(
      '--new-admin <keypair>',
      'the new admin, to whom the pool is handed over; must sign too',
    )
    .option('--pause-deposits <on|off>', 'on refuses deposits, off accepts them', parseSwitchOption)
    .option(
      '--max-deposit-seconds <seconds>',
      'longest time from an order to its deadline',
      parseSecondsOption,
    )
  withUnsigned(command).action((options: Options) =>
    withContext((context) => configurePool(context, options)),
  )
}

async function configurePool(context: OperatorContext, options: Options): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const pool = await readPool(rpc, program)
  if (options.unsigned === true) {
    assertAllNamed([
      ['--pause-deposits', options.pauseDeposits, switchText(pool.depositsPaused)],
      ['--max-deposit-seconds', options.maxDepositSeconds, `${pool.maxDepositSeconds}`],
    ])
  }
  const admin = await openParty(options.admin, options)
  const newAdmin =
    options.newAdmin === undefined ? undefined : await openParty(options.newAdmin, options)
  const at = {
    ...{ program, admin: admin.address },
    ...(newAdmin === undefined ? {} : { newAdmin: newAdmin.address }),
  }
  let config = configOf(pool, options)
  const outcome = await run([admin, ...(newAdmin === undefined ? [] : [newAdmin])], async () => {
    config = configOf(await readPool(rpc, program), options)
    return [await setConfigInstruction(at, config)]
  })
  warnOfLowered(context, pool, config)
  context.out(
    outcome.unsigned ?? {
      signature: outcome.signature,
      admin: (newAdmin ?? admin).address,
      ...config,
    },
  )
}

type Config = Pick<PoolAccount, 'depositsPaused' | 'maxDepositSeconds'>

const configOf = (present: Config, options: Options): Config => ({
  depositsPaused: options.pauseDeposits ?? present.depositsPaused,
  maxDepositSeconds: options.maxDepositSeconds ?? present.maxDepositSeconds,
})

/** The command doesn't know the settings of the API processes, so it names the limit that they must observe. */
function warnOfLowered({ report }: OperatorContext, before: Config, after: Config): void {
  if (after.maxDepositSeconds >= before.maxDepositSeconds) return
  const orderSecondsMax = BigInt(after.maxDepositSeconds) - TIME_GRID_SECONDS
  report?.(
    `the longest time for a deposit is lowered from ${before.maxDepositSeconds} to ${after.maxDepositSeconds} seconds: ` +
      `an API process with SOTTO_ORDER_SECONDS above ${orderSecondsMax} refuses new orders from then on`,
  )
}
