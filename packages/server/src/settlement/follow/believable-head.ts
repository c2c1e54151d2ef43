import { boundedHead, witnessedClock } from '../../domain/followed-slot.ts'
import type { ChainFollow, FinalizedHead } from '../../ports/settlement-chain.ts'
import type { ChainCursor } from '../../ports/settlement-store.ts'

/** A head further ahead of the cursor than a minute of slots, or than this many seconds, is read twice. */
const NEAR_SLOTS = 150n
const NEAR_SECONDS = 120n

/**
 * The chain's head. A cursor that followed a node far into the future would take every honest node for one that lags,
 * and orders expire by its clock. So a head that is far ahead counts only as far as a second read agrees: with several
 * nodes, or a balancer, another one may answer.
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

/** What a step records of its head: where the cursor goes, and which orders end. */
export interface RecordedHead {
  readonly head: FinalizedHead
  /** Unpaid orders whose last authorisation ended before this time expire. */
  readonly expiresBefore: bigint
}

/**
 * What the wall clock confirms of a head, so that no single node moves the cursor or the time far ahead. A smaller slot
 * is never wrong: every leaf up to it is known too. Without a margin, on a chain whose time can be advanced, the head
 * counts as it is.
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
