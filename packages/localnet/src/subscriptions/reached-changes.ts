import type { Address } from '@solana/kit'
import type { Chain, ChainListener } from '../chain/chain.ts'
import type { Commitment } from '../chain/tip.ts'
import type { TransactionRecord } from '../chain/transaction-record.ts'

/** Changes that have just reached a commitment. `slot` is the newest slot at the commitment. */
export interface Reached {
  readonly slot: number
  /** The accounts that these changes affect. */
  addresses(): Iterable<Address>
  /** The transactions that made these changes, oldest first. */
  records(): Iterable<TransactionRecord>
}

/** Calls `onReached` whenever changes reach a commitment. It reports each change once. */
export function whenReached(
  chain: Chain,
  commitment: Commitment,
  onReached: (reached: Reached) => void,
): Partial<ChainListener> {
  if (commitment === 'processed') {
    return {
      onBatch: ({ slot, changes, records }) =>
        onReached({
          slot,
          addresses: () => changes.map((change) => change.address),
          records: () => records,
        }),
    }
  }
  let newest = chain.tip.slotAt(commitment)
  return {
    onBlock() {
      const from = newest
      const slot = chain.tip.slotAt(commitment)
      newest = slot
      onReached({
        slot,
        addresses: () => chain.changedBetween(from, slot),
        records: () => chain.ledger.between(from, slot),
      })
    },
  }
}
