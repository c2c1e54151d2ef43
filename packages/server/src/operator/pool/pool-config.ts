import { setConfigInstruction } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { openParty, withUnsigned, type UnsignedOption } from '../asset/party.ts'
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
      'Change pause, limits or admin. Settings that are not named stay unchanged, and existing notes are not affected.',
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
  const pool = await readPool(rpc, context.program)
  const admin = await openParty(options.admin, options)
  const newAdmin =
    options.newAdmin === undefined ? undefined : await openParty(options.newAdmin, options)
  const config = {
    depositsPaused: options.pauseDeposits ?? pool.depositsPaused,
    maxDepositSeconds: options.maxDepositSeconds ?? pool.maxDepositSeconds,
  }
  const instruction = await setConfigInstruction(
    {
      program: context.program,
      admin: admin.address,
      ...(newAdmin === undefined ? {} : { newAdmin: newAdmin.address }),
    },
    config,
  )
  const outcome = await run([admin, ...(newAdmin === undefined ? [] : [newAdmin])], [instruction])
  context.out(
    outcome.unsigned ?? {
      signature: outcome.signature,
      admin: (newAdmin ?? admin).address,
      ...config,
    },
  )
}
