import { lastHeight } from '../../../domain/blockhash-life.ts'
import type { ChainHead } from '../../../ports/chain.ts'
import { readClock } from '../settlement/read-head.ts'
import type { ChainRpc } from '../../rpc/rpc-client.ts'

/**
 * Reads slot, height, clock and a blockhash, at `confirmed`. An unconfirmed blockhash would be newer, but could
 * disappear with its fork.
 */
export async function readChainHead(rpc: ChainRpc): Promise<ChainHead> {
  const commitment = 'confirmed'
  const [epoch, { value: latest }, unixSeconds] = await Promise.all([
    rpc.getEpochInfo({ commitment }).send(),
    rpc.getLatestBlockhash({ commitment }).send(),
    readClock(rpc),
  ])
  return {
    slot: epoch.absoluteSlot,
    blockHeight: epoch.blockHeight,
    unixSeconds,
    blockhash: latest.blockhash,
    lastValidBlockHeight: lastHeight(latest.lastValidBlockHeight, epoch.blockHeight),
  }
}
