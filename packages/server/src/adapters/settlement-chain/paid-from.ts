import type { Address, TransactionRecord } from '@sotto/protocol'

interface TokenBalance {
  readonly accountIndex: number
  readonly uiTokenAmount: { readonly amount: string }
}

interface Balances {
  readonly preBalances: readonly bigint[]
  readonly postBalances: readonly bigint[]
  readonly preTokenBalances?: readonly TokenBalance[] | null
  readonly postTokenBalances?: readonly TokenBalance[] | null
}

/**
 * What a transaction took out of an account, in base units: tokens of a token account, lamports of
 * any other. Undefined where the transaction doesn't say.
 */
export function paidFrom(account: Address, record: TransactionRecord): bigint | undefined {
  const { loadedAddresses } = record.meta ?? {}
  const keys = [
    ...record.transaction.message.accountKeys,
    ...(loadedAddresses?.writable ?? []),
    ...(loadedAddresses?.readonly ?? []),
  ]
  const index = keys.indexOf(account)
  const meta = record.meta as unknown as Balances | null
  if (index < 0 || meta === null) return undefined
  const before = tokens(meta.preTokenBalances, index)
  const after = tokens(meta.postTokenBalances, index)
  if (before !== undefined && after !== undefined) return before - after
  const [pre, post] = [meta.preBalances[index], meta.postBalances[index]]
  return pre === undefined || post === undefined ? undefined : pre - post
}

function tokens(balances: readonly TokenBalance[] | null | undefined, index: number) {
  const found = balances?.find(({ accountIndex }) => accountIndex === index)
  return found === undefined ? undefined : BigInt(found.uiTokenAmount.amount)
}
