import {
  associatedTokenAddress,
  type Address,
  type Amount,
  type AssetAccount,
} from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import type { Command } from 'commander'
import { tokenPrograms } from '../../adapters/chain/settlement/token-programs.ts'
import { readAsset } from './asset-account.ts'
import type { OperatorContext } from '../context.ts'
import { openParty, withUnsigned, type UnsignedOption } from './party.ts'
import { parseAddressOption, parseAmountOption } from '../pool/pool-options.ts'
import { openOperatorChain } from '../pool/pool-transaction.ts'

/** The options of a command that moves an asset's funds between the pool and its admin. */
export interface FundsOptions extends UnsignedOption {
  /** Path of the admin's keypair file; with `--unsigned`, it may also be an address. */
  readonly admin: string
  readonly mint: Address
  /** The amount to move, in base units of `mint`. */
  readonly amount: Amount
}

/**
 * The admin and the asset that is moved. `own` is the admin's account for the asset. For SOL, it is the wallet itself.
 */
export interface FundsMove {
  readonly program: Address
  readonly admin: Address
  readonly mint: Address
  readonly tokenProgram: Address | undefined
  readonly own: Address
}

/** Adds the options that `moveFunds` needs. */
export function withFundsOptions(command: Command): Command {
  const all = command
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .requiredOption('--mint <address>', 'the asset', parseAddressOption)
    .requiredOption('--amount <amount>', 'base units', parseAmountOption)
  return withUnsigned(all)
}

/**
 * Sends the instruction that `instructionFor` makes, signed by the admin. Then prints what `render` returns for the
 * transaction's signature and the updated asset. With `--unsigned`, prints the transaction for others to sign instead.
 * @throws if the asset isn't on the chain, or if the chain refuses the transaction.
 */
export async function moveFunds(
  context: OperatorContext,
  options: FundsOptions,
  instructionFor: (move: FundsMove) => Promise<Instruction>,
  render: (signature: string, asset: AssetAccount) => object,
): Promise<void> {
  const { mint } = options
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  await readAsset(rpc, program, mint)
  const tokenProgram = await tokenPrograms(rpc)(mint)
  const admin = await openParty(options.admin, options)
  const own =
    tokenProgram === undefined
      ? admin.address
      : await associatedTokenAddress(admin.address, mint, tokenProgram)
  const move = { program, admin: admin.address, mint, tokenProgram, own }
  const outcome = await run([admin], [await instructionFor(move)])
  if (outcome.unsigned !== undefined) return context.out(outcome.unsigned)
  context.out(render(outcome.signature, await readAsset(rpc, program, mint)))
}
