import { associatedTokenAddress, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../ports/chain-settle.ts'
import { readAccounts, type RawAccount } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'
import { tokenAccountState } from './token-account-state.ts'
import type { FindTokenProgram } from './token-programs.ts'

/** Whether a wallet can be paid in an asset, at `confirmed`. */
export async function readPayee(
  at: { readonly rpc: ChainRpc; readonly tokenProgramOf: FindTokenProgram },
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const tokenProgram = await at.tokenProgramOf(mint)
  const isNative = tokenProgram === undefined
  const paid = isNative ? wallet : await associatedTokenAddress(wallet, mint, tokenProgram)
  const { accounts } = await readAccounts(at.rpc, [paid], { commitment: 'confirmed' })
  return isNative
    ? walletState(accounts[0])
    : tokenAccountState(accounts[0], { mint, wallet, tokenProgram })
}

function walletState(account: RawAccount | undefined): PayeeState {
  if (account === undefined) return 'absent'
  return account.isExecutable ? 'blocked' : 'payable'
}
