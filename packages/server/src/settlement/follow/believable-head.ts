import type { UnixSeconds } from '@sotto/protocol'
import { boundedHead, witnessedClock } from '../../domain/followed-slot.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { ChainCursor } from '../../ports/settlement-store.ts'

/**
 * A head that is further ahead of the cursor than one of these limits is read a second time. The limits are about a
 * minute of slots, and two minutes of the chain's clock.
 */
const NEAR_SLOTS = 150n
const NEAR_SECONDS = 120n

/**
 * Reads the chain's head. If a false head moved the cursor far into the future, every correct node would seem to lag,
 * and orders would expire early. So a head that is far ahead is read a second time. The lower slot and the earlier time
 * of the two answers are used. With several nodes, or with a load balancer, the second answer may come from another
 * node.
 */
export async function believableHead(
  chain: Pick<ChainFollow, 'readHead'>,
  cursor: Pick<ChainCursor, 'slot' | 'unixSeconds'>,
): Promise<FinalizedHead> {
  const head = await chain.readHead()
  const isNear =
    head.slot <= cursor.slot + NEAR_SLOTS && head.unixSeconds <= cursor.unixSeconds + NEAR_SECONDS
  if (isNear) return head
  const again = await chain.readHead()
  const older = again.slot < head.slot ? again : head
  const { unixSeconds } = again.unixSeconds < head.unixSeconds ? again : head
  return { ...older, unixSeconds }
}

/** The part of a head that a step records: the cursor's new position, and the time that decides which orders expire. */
export interface RecordedHead {
  readonly head: FinalizedHead
  /** Unpaid orders expire if their last authorisation ended before this time. */
  readonly expiresBefore: UnixSeconds
}

/**
 * Returns the part of a head that the wall clock confirms. So a single node can't move the cursor or the time far
 * ahead. The recorded slot may be lower than the head's slot: that is safe, because every leaf up to the lower slot is
 * known too. On chains whose time can be advanced, no margin is set, and the whole head is recorded.
 */
export function recordedHead(
  head: FinalizedHead,
  cursor: ChainCursor,
  nowMs: number,
  marginSeconds: bigint | undefined,
): RecordedHead {
  if (marginSeconds === undefined) return { head, expiresBefore: head.unixSeconds }
  const bounded = { ...head, ...boundedHead(head, cursor, nowMs) }
  const witnessed = witnessedClock(bounded.unixSeconds, nowMs, marginSeconds)
  return { head: bounded, expiresBefore: witnessed }
}
