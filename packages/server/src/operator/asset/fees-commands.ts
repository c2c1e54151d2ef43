import { collectFeesInstruction, totalFees } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { moveFunds, withFundsOptions, type FundsOptions } from './move-funds.ts'

/**
 * `fees collect`: collects fees that are at least two days old. Refunds are paid from the remaining fees, so those
 * of all undelivered orders of the last 31 days should stay (docs/decisions/0005).
 */
export function registerFeesCommands(program: Command, withContext: WithContext): void {
  const fees = program.command('fees').description('The fees that the service has earned.')
  const collect = fees
    .command('collect')
    .description(
      "Take fees out to the admin's own account; those of two days ago and before. Leave the fees of undelivered orders of the last 31 days: refunds draw on them.",
    )
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
      return { mint, signature, collected: `${amount}`, remaining: `${totalFees(asset)}` }
    },
  )
}
