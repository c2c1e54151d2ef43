import type { Token } from '@sotto/sdk/server'
import type { BalanceBook } from '../../model/balance/use-balance-book.ts'

/** The asset of the open balance; undefined while the storage is being read. */
export function openToken(
  { place, balances }: BalanceBook,
  tokens: readonly Token[],
): Token | undefined {
  if (place.kind !== 'open') return undefined
  const own = balances?.find(({ name }) => name === place.run.name)
  return tokens.find(({ assetId }) => assetId === own?.stored?.assetId)
}
