import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import {
  AccountState,
  getTokenDecoder,
  getTokenSize,
  TOKEN_PROGRAM_ADDRESS,
} from '@solana-program/token'
import { address } from '@solana/kit'
import { associatedTokenAddress, NATIVE_MINT, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../ports/chain-settle.ts'
import { readAccounts, type RawAccount } from '../settlement-chain/read-accounts.ts'
import type { ChainRpc } from '../settlement-chain/rpc-client.ts'

const TOKEN_2022 = address('TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb')

/**
 * Whether an ordinary wallet can be paid in an asset: `absent` where the account that receives would
 * have to be made, `blocked` where the address is a token account, a program or one of the pool's, or
 * its token account can't receive.
 */
export async function readRecipient(
  rpc: ChainRpc,
  program: Address,
  mint: Address,
  wallet: Address,
): Promise<PayeeState> {
  const isNative = mint === NATIVE_MINT
  const asked = isNative ? [wallet] : [wallet, await associatedTokenAddress(wallet, mint)]
  const { accounts } = await readAccounts(rpc, asked, { commitment: 'confirmed' })
  const [own, token] = accounts
  if (!isWallet(own, isNative, program)) return 'blocked'
  if (isNative) return own === undefined ? 'absent' : 'payable'
  return tokenState(token, mint, wallet)
}

/** Native coin goes to system accounts only; tokens may also belong to a program's wallet. */
function isWallet(account: RawAccount | undefined, isNative: boolean, program: Address): boolean {
  if (account === undefined || account.owner === SYSTEM_PROGRAM_ADDRESS) return true
  const notWallets: Address[] = [program, TOKEN_PROGRAM_ADDRESS, TOKEN_2022]
  return !isNative && !account.isExecutable && !notWallets.includes(account.owner)
}

function tokenState(account: RawAccount | undefined, mint: Address, wallet: Address): PayeeState {
  // Lamports sent ahead don't keep the token account from being made.
  if (account === undefined || account.owner === SYSTEM_PROGRAM_ADDRESS) return 'absent'
  if (account.owner !== TOKEN_PROGRAM_ADDRESS || account.data.length !== getTokenSize()) {
    return 'blocked'
  }
  const token = getTokenDecoder().decode(account.data)
  const isTheirs = token.mint === mint && token.owner === wallet
  return isTheirs && token.state === AccountState.Initialized ? 'payable' : 'blocked'
}
