import type { Account } from '../chain/account.ts'
import type { StateView } from '../chain/state-view.ts'
import {
  type Mint,
  type TokenAccount,
  TOKEN_2022_PROGRAM,
  readMint,
  readTokenAccount,
} from '../chain/token-accounts.ts'
import { renderTokenAmount } from './token-amount.ts'

/** The data of a token account or mint in the `jsonParsed` form; null for any other account. */
export function renderParsedData(account: Account, view: StateView): object | null {
  const program = account.owner === TOKEN_2022_PROGRAM ? 'spl-token-2022' : 'spl-token'
  const space = account.data.length
  const token = readTokenAccount(account)
  if (token !== null) {
    const mint = readMint(view.read(token.mint))
    if (mint === null) return null
    const info = renderTokenInfo(token, mint.decimals)
    return { program, parsed: { type: 'account', info }, space }
  }
  const mint = readMint(account)
  if (mint === null) return null
  return { program, parsed: { type: 'mint', info: renderMintInfo(mint) }, space }
}

function renderTokenInfo(token: TokenAccount, decimals: number): object {
  const isDelegated = token.delegate !== null
  return {
    mint: token.mint,
    owner: token.owner,
    tokenAmount: renderTokenAmount(token.amount, decimals),
    state: token.state,
    isNative: token.nativeRentReserve !== null,
    delegate: token.delegate ?? undefined,
    delegatedAmount: isDelegated ? renderTokenAmount(token.delegatedAmount, decimals) : undefined,
    rentExemptReserve:
      token.nativeRentReserve === null
        ? undefined
        : renderTokenAmount(token.nativeRentReserve, decimals),
    closeAuthority: token.closeAuthority ?? undefined,
  }
}

function renderMintInfo(mint: Mint): object {
  return {
    mintAuthority: mint.mintAuthority,
    supply: mint.supply.toString(),
    decimals: mint.decimals,
    isInitialized: mint.isInitialized,
    freezeAuthority: mint.freezeAuthority,
  }
}
