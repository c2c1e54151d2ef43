import type { Address } from '@solana/kit'
import { type Account, type AccountChange, isSameAccount } from './account.ts'
import { readUnitPrice } from './compute-budget.ts'
import { type DecodedTransaction, isWritableStatic } from './decoded-transaction.ts'
import { resolveLookups } from './lookup-tables.ts'
import type { Runtime } from './runtime.ts'
import { readTokenBalances } from './token-balances.ts'
import type { TransactionErrorJson } from './transaction-error.ts'
import type { TransactionRecord } from './transaction-record.ts'

export type Execution =
  | { kind: 'landed'; record: TransactionRecord; changes: AccountChange[] }
  | { kind: 'dropped'; err: TransactionErrorJson }

/**
 * Executes a transaction and returns its record. A transaction that fails before it pays its fee doesn't land. On a
 * cluster, the leader would drop this transaction.
 */
export function executeTransaction(
  runtime: Runtime,
  decoded: DecodedTransaction,
  slot: number,
): Execution {
  const read = (address: Address) => runtime.readAccount(address)
  const loaded = resolveLookups(decoded.lookups, read)
  const accountKeys = [...decoded.staticAccounts, ...loaded.writable, ...loaded.readonly]
  const before = accountKeys.map(read)
  const preTokenBalances = readTokenBalances(accountKeys, before, read)
  const outcome = runtime.execute(decoded.transaction)
  const after = accountKeys.map(read)
  const fee = sumLamports(before) - sumLamports(after)
  if (outcome.err !== null && fee === 0n) return { kind: 'dropped', err: outcome.err }
  const record: TransactionRecord = {
    signature: decoded.signature,
    slot,
    wire: decoded.wire,
    accountKeys,
    loaded,
    outcome,
    fee,
    preBalances: before.map((account) => account?.lamports ?? 0n),
    postBalances: after.map((account) => account?.lamports ?? 0n),
    preTokenBalances,
    postTokenBalances: readTokenBalances(accountKeys, after, read),
    messageHash: decoded.messageHash,
    recentBlockhash: decoded.recentBlockhash,
    unitPrice: readUnitPrice(decoded),
    writableKeys: [
      ...decoded.staticAccounts.filter((_, index) => isWritableStatic(decoded, index)),
      ...loaded.writable,
    ],
  }
  return { kind: 'landed', record, changes: listChanges(accountKeys, before, after) }
}

/** The runtime burns fees, so the fee is the total that the transaction's accounts lost. */
function sumLamports(accounts: readonly (Account | null)[]): bigint {
  return accounts.reduce((sum, account) => sum + (account?.lamports ?? 0n), 0n)
}

function listChanges(
  keys: readonly Address[],
  before: readonly (Account | null)[],
  after: readonly (Account | null)[],
): AccountChange[] {
  return keys.flatMap((address, index) => {
    const change = { address, before: before[index] ?? null, after: after[index] ?? null }
    return isSameAccount(change.before, change.after) ? [] : [change]
  })
}
