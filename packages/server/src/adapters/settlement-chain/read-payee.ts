import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountState,
  getTokenDecoder,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../ports/chain-settle.ts'
import { readAccounts, type RawAccount } from './read-accounts.ts'
import type { ChainRpc } from './rpc-client.ts'

/** Whether a wallet can be paid in an asset, at `confirmed`. */
export async function readPayee(
  rpc: ChainRpc,
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const isNative = mint === NATIVE_MINT
  const paid = isNative ? wallet : await associatedTokenAddress(wallet, mint)
  const { accounts } = await readAccounts(rpc, [paid], { commitment: 'confirmed' })
  const account = accounts[0]
  if (account === undefined) return 'absent'
  return isNative ? walletState(account) : tokenState(account, mint, wallet)
}

function walletState(account: RawAccount): PayeeState {
  return account.isExecutable ? 'blocked' : 'payable'
}

function tokenState(account: RawAccount, mint: Address, wallet: Address): PayeeState {
  // Lamports sent ahead don't keep the token account from being made.
  if (account.owner === SYSTEM_PROGRAM_ADDRESS && account.data.length === 0) return 'absent'
  if (account.owner !== TOKEN_PROGRAM_ADDRESS || account.data.length !== getTokenSize()) {
    return 'blocked'
  }
  const token = getTokenDecoder().decode(account.data)
  const isOurs = token.mint === mint && token.owner === wallet
  return isOurs && token.state === AccountState.Initialized ? 'payable' : 'blocked'
}
