import { associatedTokenAddress, type Address, type Amount } from '@sotto/protocol'
import type { Instruction } from '@solana/kit'
import type { Command } from 'commander'
import { tokenPrograms } from '../adapters/settlement-chain/token-programs.ts'
import { readFileSigner } from '../adapters/signer/file-signer.ts'
import { readAsset } from './asset-account.ts'
import type { OperatorContext } from './context.ts'
import { parseAddressOption, parseAmountOption } from './pool-options.ts'
import { openOperatorChain } from './pool-transaction.ts'

/** The options of a command that moves an asset's funds between the pool and its admin. */
export interface FundsOptions {
  /** Path of the admin's keypair file. */
  readonly admin: string
  readonly mint: Address
  /** Base units of `mint`. */
  readonly amount: Amount
}

/** Who moves which asset; `own` is the admin's account for it, the wallet itself for SOL. */
export interface FundsMove {
  readonly program: Address
  readonly admin: Address
  readonly mint: Address
  readonly tokenProgram: Address | undefined
  readonly own: Address
}

/** Adds the options that `moveFunds` takes. */
export function withFundsOptions(command: Command): Command {
  return command
    .requiredOption('--admin <keypair>', "the pool's admin: a keypair file")
    .requiredOption('--mint <address>', 'the asset', parseAddressOption)
    .requiredOption('--amount <amount>', 'base units', parseAmountOption)
}

/**
 * Sends the instruction that `instructionFor` makes, signed by the admin. Returns the transaction's signature
 * and the asset as it is then.
 * @throws where the chain does not know the asset, or refuses the transaction.
 */
export async function moveFunds(
  context: OperatorContext,
  { admin: keypair, mint }: FundsOptions,
  instructionFor: (move: FundsMove) => Promise<Instruction>,
) {
  const { rpc, run } = openOperatorChain(context)
  const { program } = context
  await readAsset(rpc, program, mint)
  const tokenProgram = await tokenPrograms(rpc)(mint)
  const admin = await readFileSigner(keypair)
  const own =
    tokenProgram === undefined
      ? admin.address
      : await associatedTokenAddress(admin.address, mint, tokenProgram)
  const move = { program, admin: admin.address, mint, tokenProgram, own }
  const signature = await run([admin], [await instructionFor(move)])
  return { signature, asset: await readAsset(rpc, program, mint) }
}
