import { collectFeesInstruction } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { moveFunds, withFundsOptions, type FundsOptions } from './move-funds.ts'

/**
 * `fees collect`: collects fees. The service earns a fee when it settles an order. The fee can be collected
 * immediately.
 */
export function registerFeesCommands(program: Command, withContext: WithContext): void {
  const fees = program.command('fees').description('The fees that the service has earned.')
  const collect = fees.command('collect').description("Move fees to the admin's own account.")
  withFundsOptions(collect).action((options: FundsOptions) =>
    withContext((context) => collectFees(context, options)),
  )
}

async function collectFees(context: OperatorContext, options: FundsOptions): Promise<void> {
  const { mint, amount } = options
  await moveFunds(
    context,
    options,
    (move) => collectFeesInstruction({ ...move, destination: move.own }, amount),
    (signature, asset) => {
      return { mint, signature, collected: `${amount}`, remaining: `${asset.fees}` }
    },
  )
}
