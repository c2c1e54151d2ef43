import type { Address } from '@solana/kit'
import type { Account } from './account.ts'
import { readMint, readTokenAccount } from './token-accounts.ts'

/** The token balance of one account of a transaction. */
export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly amount: bigint
  readonly decimals: number
}

/** The token balances of a transaction's accounts, in the order of the accounts. */
export function readTokenBalances(
  keys: readonly Address[],
  accounts: readonly (Account | null)[],
  readMintAccount: (mint: Address) => Account | null,
): TokenBalance[] {
  return keys.flatMap((_, accountIndex) => {
    const account = accounts[accountIndex] ?? null
    const token = readTokenAccount(account)
    if (account === null || token === null) return []
    const mint = readMint(readMintAccount(token.mint))
    if (mint === null) return []
    return [
      {
        accountIndex,
        mint: token.mint,
        owner: token.owner,
        programId: account.owner,
        amount: token.amount,
        decimals: mint.decimals,
      },
    ]
  })
}
