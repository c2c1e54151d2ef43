import type { ChainUpkeep } from '../ports/chain-upkeep.ts'
import type { SettlementLog } from '../ports/settlement-log.ts'
import type { UpkeepStore } from '../ports/upkeep-store.ts'

/**
 * Holds every vault against its asset's books at one finalized slot (I1). A vault may hold more than
 * its books say, since anyone can send to it, never less. Less halts new orders durably; what is
 * deposited goes on being paid.
 */
export async function reconcile(d: {
  readonly chain: ChainUpkeep
  readonly store: UpkeepStore
  readonly log: SettlementLog
}): Promise<void> {
  const books = await d.chain.readBooks()
  const isShort = books.some(({ held, owed, fees, inventory }) => held < owed + fees + inventory)
  if (!isShort) return
  d.log.alert('books_differ')
  await d.store.halt('books_differ')
}
