import type { ChainListener } from '../chain/chain.ts'
import type { Chain } from '../chain/chain.ts'
import type { Commitment } from '../chain/tip.ts'

/**
 * Calls `onReached` with the slots (`from`, `to`] that have just reached a commitment. At
 * `processed` that is the newest block itself, once per executed batch.
 */
export function whenReached(
  chain: Chain,
  commitment: Commitment,
  onReached: (from: number, to: number) => void,
): Partial<ChainListener> {
  if (commitment === 'processed') {
    return { onBatch: ({ slot }) => onReached(slot - 1, slot) }
  }
  let reached = chain.tip.slotAt(commitment)
  return {
    onBlock() {
      const from = reached
      reached = chain.tip.slotAt(commitment)
      onReached(from, reached)
    },
  }
}
