import { associatedTokenAddress, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import { tokenAccountState, walletState } from './payee-rules.ts'
import { readAccounts } from '../../rpc/read-accounts.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'
import type { FindTokenProgram } from './token-programs.ts'

/** Reads whether a wallet can be paid in an asset, at `confirmed`. */
export async function readPayee(
  at: {
    readonly rpc: ChainRpc
    readonly program: Address
    readonly tokenProgramOf: FindTokenProgram
  },
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const tokenProgram = await at.tokenProgramOf(mint)
  const isNative = tokenProgram === undefined
  const paid = isNative ? wallet : await associatedTokenAddress(wallet, mint, tokenProgram)
  const { accounts } = await readAccounts(at.rpc, [paid], { commitment: 'confirmed' })
  return isNative
    ? walletState(accounts[0], at.program)
    : tokenAccountState(accounts[0], { mint, wallet, tokenProgram })
}
