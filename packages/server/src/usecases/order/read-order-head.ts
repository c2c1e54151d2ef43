import type { UnixSeconds } from '@sotto/protocol'
import type { Chain, ChainHead } from '../../ports/chain.ts'
import { askUpstream } from '../ask-upstream.ts'

/**
 * Maximum age of the chain's head, in milliseconds. A slot is longer, so a head of this age is as good as the newest
 * head for the blockhash and the order's times.
 */
const HEAD_AGE_MAX_MS = 250

/**
 * Returns the head from which an order's times are counted. Its time is not earlier than `finalSeconds`, a final time
 * of the chain. With an earlier time, a swap's authorisation could already have ended at `finalSeconds`. Then the swap
 * would reserve no inventory, and could be ordered although none is left.
 *
 * @throws ServiceError UPSTREAM_UNAVAILABLE if the node lags behind `finalSeconds`, or doesn't answer.
 */
export function readOrderHead(
  chain: Pick<Chain, 'readHead'>,
  finalSeconds: UnixSeconds,
): Promise<ChainHead> {
  return askUpstream(async () => {
    const recent = await chain.readHead(HEAD_AGE_MAX_MS)
    if (recent.unixSeconds >= finalSeconds) return recent
    const newest = await chain.readHead()
    if (newest.unixSeconds >= finalSeconds) return newest
    throw new Error('the newest head of the node is earlier than a final slot')
  })
}
