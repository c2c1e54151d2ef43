import { SYSTEM_PROGRAM_ADDRESS } from '@solana-program/system'
import { isKeyless, type Address } from '@sotto/protocol'
import type { PayeeState } from '../../../ports/settlement-chain.ts'
import type { RawAccount } from '../../rpc/read-accounts.ts'
import { isOfTokenPrograms, tokenAccountState } from '../settlement/payee-rules.ts'
import type { WalletAccounts } from '../recipients/recipients.ts'

/**
 * Determines whether an address can be paid in an asset. `absent`: the receiving account must be created first.
 * `blocked`: the address isn't a wallet for this asset, or the wallet's token account can't receive a payment.
 */
export function recipientState(
  { own, token, tokenProgram }: WalletAccounts,
  of: { readonly mint: Address; readonly wallet: Address; readonly program: Address },
): PayeeState {
  const { mint, wallet, program } = of
  const isNative = tokenProgram === undefined
  if (isKeyless(wallet, own, program) || !isWallet(own, isNative)) return 'blocked'
  if (isNative) return own === undefined ? 'absent' : 'payable'
  return tokenAccountState(token, { mint, wallet, tokenProgram })
}

/**
 * True for an account that counts as a wallet. SOL is paid only to system accounts. Tokens are also paid to accounts of
 * other programs, except the token programs.
 */
function isWallet(account: RawAccount | undefined, isNative: boolean): boolean {
  if (account === undefined || account.owner === SYSTEM_PROGRAM_ADDRESS) return true
  return !isNative && !isOfTokenPrograms(account)
}
