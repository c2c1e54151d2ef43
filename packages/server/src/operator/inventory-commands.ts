import {
  addInventoryInstruction,
  associatedTokenAddress,
  removeInventoryInstruction,
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

/** `inventory add | remove`: what swaps may pay out, from and to the admin's own account. */
export function registerInventoryCommands(program: Command, withContext: WithContext): void {
  const inventory = program.command('inventory').description('What swaps may pay out.')
  for (const direction of ['add', 'remove'] as const) {
    inventory
      .command(direction)
      .description(
        direction === 'add'
          ? "Move the admin's own funds into the inventory."
          : 'Take inventory back to the admin: never what notes are owed.',
      )
      .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
      .requiredOption('--mint <address>', 'the asset', parseAddressOption)
      .requiredOption('--amount <amount>', 'base units', parseAmountOption)
      .action((options: Options) =>
        withContext((context) => moveInventory(context, direction, options)),
      )
  }
}

async function moveInventory(
  context: OperatorContext,
  direction: 'add' | 'remove',
  options: Options,
): Promise<void> {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  const { mint, amount } = options
  await readAsset(rpc, program, mint)
  const tokenProgram = await tokenPrograms(rpc)(mint)
  const admin = await readFileSigner(options.admin)
  const own =
    tokenProgram === undefined
      ? admin.address
      : await associatedTokenAddress(admin.address, mint, tokenProgram)
  const at = { program, admin: admin.address, mint, tokenProgram }
  const instruction =
    direction === 'add'
      ? await addInventoryInstruction({ ...at, source: own }, amount)
      : await removeInventoryInstruction({ ...at, destination: own }, amount)
  const signature = await run([admin], [instruction])
  const { inventory } = await readAsset(rpc, program, mint)
  context.out({ mint, signature, inventory: `${inventory}` })
}
