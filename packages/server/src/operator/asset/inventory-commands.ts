import { addInventoryInstruction, removeInventoryInstruction } from '@sotto/protocol'
import type { Command } from 'commander'
import type { OperatorContext, WithContext } from '../context.ts'
import { moveFunds, withFundsOptions, type FundsOptions } from './move-funds.ts'

type Direction = 'add' | 'remove'

/**
 * `inventory add | remove`: moves the funds that swaps may pay out, from or to the admin's own account. Returns the
 * command, so that other files can add subcommands.
 */
export function registerInventoryCommands(program: Command, withContext: WithContext): Command {
  const inventory = program.command('inventory').description('The funds that swaps may pay out.')
  const descriptions: Record<Direction, string> = {
    add: "Move the admin's own funds into the inventory.",
    remove:
      "Move inventory back to the admin's own account. Funds that belong to notes stay in the pool.",
  }
  for (const direction of ['add', 'remove'] as const) {
    const command = inventory.command(direction).description(descriptions[direction])
    withFundsOptions(command).action((options: FundsOptions) =>
      withContext((context) => moveInventory(context, direction, options)),
    )
  }
  return inventory
}

async function moveInventory(
  context: OperatorContext,
  direction: Direction,
  options: FundsOptions,
): Promise<void> {
  const { mint, amount } = options
  await moveFunds(
    context,
    options,
    (move) =>
      direction === 'add'
        ? addInventoryInstruction({ ...move, source: move.own }, amount)
        : removeInventoryInstruction({ ...move, destination: move.own }, amount),
    (signature, { inventory }) => ({ mint, signature, inventory: `${inventory}` }),
  )
}
