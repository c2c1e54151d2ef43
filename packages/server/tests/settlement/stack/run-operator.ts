import { amount } from '@sotto/protocol'
import { Command } from 'commander'
import { registerAccountCommands } from '../../../src/operator/account/account-commands.ts'
import { registerAssetCommands } from '../../../src/operator/asset/asset-commands.ts'
import type { OperatorContext } from '../../../src/operator/context.ts'
import { registerFeesCommands } from '../../../src/operator/asset/fees-commands.ts'
import { registerInventoryCommands } from '../../../src/operator/asset/inventory-commands.ts'
import { registerPoolCommands } from '../../../src/operator/pool/pool-commands.ts'
import type { InventoryParts } from '../../../src/operator/inventory/inventory-parts.ts'
import { registerRebalanceCommands } from '../../../src/operator/inventory/rebalance-commands.ts'
import {
  registerRebuildCommand,
  type RebuildParts,
} from '../../../src/operator/rebuild/rebuild-command.ts'
import type { PriceLimits } from '../../../src/settlement/pay/offered-price.ts'
import { registerSignerCommands, type SignerParts } from '../../../src/operator/signer-commands.ts'
import { registerTransactionCommands } from '../../../src/operator/transaction-commands.ts'

/** Price limits that allow only the price 0, as on a local chain. */
export const FREE: PriceLimits = { floor: 0, ceiling: 0, percentile: 75, orderMax: amount(0n) }

/** Runs one of the operator's commands from its command line, and returns what the command printed. */
export async function runOperator<Result>(
  base: Omit<OperatorContext, 'out'> & {
    readonly market?: InventoryParts
    readonly signers?: SignerParts
    readonly rebuild?: RebuildParts
    /** Each result is added to this list when it is printed. */
    readonly printed?: object[]
  },
  ...words: string[]
): Promise<Result> {
  let printed: object | undefined
  const out = (result: object) => {
    printed = result
    base.printed?.push(result)
  }
  const withContext = (work: (context: OperatorContext) => Promise<void>) => work({ ...base, out })
  const program = new Command('sotto-server').exitOverride()
  registerAccountCommands(program, withContext)
  registerPoolCommands(program, withContext)
  registerAssetCommands(program, withContext)
  const inventory = registerInventoryCommands(program, withContext)
  if (base.market !== undefined) registerRebalanceCommands(inventory, withContext, base.market)
  registerFeesCommands(program, withContext)
  if (base.signers !== undefined) registerSignerCommands(program, withContext, base.signers, out)
  if (base.rebuild !== undefined) registerRebuildCommand(program, withContext, base.rebuild)
  registerTransactionCommands(program, withContext, out)
  await program.parseAsync(words, { from: 'user' })
  return printed as Result
}
