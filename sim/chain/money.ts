import { NATIVE_MINT } from '@sotto/protocol'
import { tokenKey, type Ledger } from './ledger.ts'

/** Thrown when the program or the runtime refuses a transaction. The transaction then costs only its fee. */
export class Refused extends Error {
  override readonly name = 'Refused'
}

export function assertThat(holds: boolean, code: string): asserts holds {
  if (!holds) throw new Refused(code)
}

/** The rent of a token account, which has 165 bytes. */
export const TOKEN_ACCOUNT_RENT = 2_039_280n

export function takeLamports(ledger: Ledger, position: number, from: string, amount: bigint): void {
  const balance = ledger.lamportsOf(from, position)
  assertThat(balance >= amount, 'insufficient_lamports')
  ledger.lamports.write(from, position, balance - amount)
}

export function giveLamports(ledger: Ledger, position: number, to: string, amount: bigint): void {
  ledger.lamports.write(to, position, ledger.lamportsOf(to, position) + amount)
}

interface Movement {
  readonly mint: string
  readonly wallet: string
  readonly amount: bigint
}

/** Takes lamports or tokens from a wallet. */
export function debit(ledger: Ledger, position: number, { mint, wallet, amount }: Movement): void {
  if (mint === NATIVE_MINT) return takeLamports(ledger, position, wallet, amount)
  const account = ledger.tokens.read(tokenKey(mint, wallet), position)
  assertThat(account !== undefined && account !== null && !account.isBlocked, 'no_source_account')
  assertThat(account.balance >= amount, 'insufficient_tokens')
  const rest = { ...account, balance: account.balance - amount }
  ledger.tokens.write(tokenKey(mint, wallet), position, rest)
}

/** Pays lamports or tokens to a wallet. For tokens, the wallet's token account must exist and must not be frozen. */
export function credit(ledger: Ledger, position: number, { mint, wallet, amount }: Movement): void {
  if (mint === NATIVE_MINT) return giveLamports(ledger, position, wallet, amount)
  const account = ledger.tokens.read(tokenKey(mint, wallet), position)
  assertThat(account !== undefined && account !== null && !account.isBlocked, 'payee_not_payable')
  const more = { ...account, balance: account.balance + amount }
  ledger.tokens.write(tokenKey(mint, wallet), position, more)
}
