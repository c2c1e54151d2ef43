import {
  associatedTokenAddress,
  collectFeesInstruction,
  totalFees,
  type Address,
  type Amount,
} from '@sotto/protocol'
import type { Command } from 'commander'
import { tokenPrograms } from '../adapters/settlement-chain/token-programs.ts'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import { readAsset } from './asset-account.ts'
import type { OperatorContext, WithContext } from './context.ts'
import { parseAddressOption, parseAmountOption } from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'

interface Options {
  readonly admin: string
  readonly mint: Address
  readonly amount: Amount
}

/**
 * `fees collect`: fees of two days ago and before. Refunds draw on what is there, so that the fees of all
 * undelivered orders of the last 31 days should stay (docs/decisions/0005).
 */
export function registerFeesCommands(program: Command, withContext: WithContext): void {
  program
    .command('fees')
    .description('The fees that the service has earned.')
    .command('collect')
    .description(
      "Take fees out to the admin's own account; those of two days ago and before. Leave the fees of undelivered orders of the last 31 days: refunds draw on them.",
    )
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .requiredOption('--mint <address>', 'the asset', parseAddressOption)
    .requiredOption('--amount <amount>', 'base units', parseAmountOption)
    .action((options: Options) => withContext((context) => collectFees(context, options)))
}

async function collectFees(context: OperatorContext, options: Options): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint, amount } = options
  await readAsset(rpc, program, mint)
  const tokenProgram = await tokenPrograms(rpc)(mint)
  const admin = await readFileSigner(options.admin)
  const destination =
    tokenProgram === undefined
      ? admin.address
      : await associatedTokenAddress(admin.address, mint, tokenProgram)
  const at = { program, admin: admin.address, mint, tokenProgram, destination }
  const signature = await run([admin], [await collectFeesInstruction(at, amount)])
  const after = await readAsset(rpc, program, mint)
  context.out({ mint, signature, collected: `${amount}`, remaining: `${totalFees(after)}` })
}
