import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'

/** Slots that pass in a minute: a head further ahead of the cursor is read twice. */
const NEAR_SLOTS = 150n

/**
 * The chain's head. A cursor that followed a node far into the future would take every honest node for one that lags,
 * so a head that is far ahead counts only as far as a second read agrees: of the two, the older one.
 */
export async function believableHead(
  chain: Pick<ChainFollow, 'readHead'>,
  cursorSlot: bigint,
): Promise<FinalizedHead> {
  const head = await chain.readHead()
  if (head.slot <= cursorSlot + NEAR_SLOTS) return head
  const again = await chain.readHead()
  return again.slot < head.slot ? again : head
}
