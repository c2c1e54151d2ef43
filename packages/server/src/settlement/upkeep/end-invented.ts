import { CLOSE_DELAY_SECONDS } from '@sotto/protocol'
import { witnessedClock } from '../../domain/followed-slot.ts'
import type { Clock } from '../../ports/clock.ts'
import type { ChainFollow } from '../../ports/settlement-chain.ts'
import type { FollowStore, UpkeepStore } from '../../ports/settlement-store.ts'
import type { VanishedOrder } from '../../ports/upkeep-records.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import { FirstReadings } from '../notes/first-readings.ts'

/**
 * Time for which a leaf must be missing, by the chain's clock. It is long enough for many rounds. If the tree has the
 * leaf again in one of them, the time starts again from zero.
 */
const MISSING_SECONDS = 3_600n

export interface InventedDependencies {
  readonly chain: Pick<ChainFollow, 'readHead' | 'readDepositIndexes' | 'findDeposit'>
  readonly store: Pick<FollowStore, 'readCursor'> &
    Pick<UpkeepStore, 'listVanished' | 'tryExpireVanished'>
  readonly tree: Pick<VerifiedTree, 'has' | 'isWhole'>
  readonly clock: Clock
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmed'> | undefined
  readonly clockMarginSeconds?: bigint | undefined
  readonly log: SettlementLog
}

/**
 * Creates a step that ends deposited orders whose leaf a node has invented. Such an order has the status `deposited`,
 * `delivering` or `refunding`, but the verified tree lacks its leaf. It expires if its deposit can't land any more and
 * its leaf has been missing for an hour. With several nodes, two of them must have confirmed the tree without the leaf
 * throughout that hour. In addition, no Order account and no history may show a deposit. The status still moves only
 * forward, to the final status `expired`.
 */
export function inventedDepositEnder(d: InventedDependencies): () => Promise<void> {
  const missing = new FirstReadings()
  return async () => {
    const { unixSeconds: followed } = await d.store.readCursor()
    // One of several nodes can hide a leaf for any length of time. So the hour passes only while two nodes confirm the
    // tree without the leaf.
    const unixSeconds = d.witness?.confirmed(followed) ?? followed
    const clock = witnessedClock(unixSeconds, d.clock.nowMs(), d.clockMarginSeconds)
    const listed = d.tree.isWhole ? await d.store.listVanished(clock) : []
    // The list comes from the stored leaves, but nodes confirm this process's tree. Another worker's node may have
    // shown it false leaves, which replaced the true ones in the database.
    const vanished = listed.filter(({ leaf }) => !d.tree.has(leaf, 0))
    missing.forgetOthers(vanished)
    const due = vanished.filter(
      ({ orderId }) => unixSeconds >= missing.first(orderId, unixSeconds) + MISSING_SECONDS,
    )
    for (const order of due) {
      // One order with a damaged key, for example, must not stop the others.
      try {
        if (await isDeposited(d, order)) continue
        const isDone = await d.store.tryExpireVanished(order.orderId, d.clock.nowMs())
        if (isDone) d.log.event('invented_deposit_ended')
      } catch (error) {
        d.log.failed('end_invented', error)
      }
    }
  }
}

/**
 * True if a node shows the order's deposit. The request names the order's id. This reveals nothing that is still
 * secret, because the deposit can't land any more after the order's deadline.
 */
async function isDeposited(
  { chain }: Pick<InventedDependencies, 'chain'>,
  { orderId, deadline }: VanishedOrder,
): Promise<boolean> {
  const head = await chain.readHead()
  const [index] = await chain.readDepositIndexes([orderId], head.slot)
  // `unconfirmed` counts as a deposit too: the account may exist although the only node that answered shows none.
  if (index !== undefined) return true
  // The Order account may already be closed. Then only the history shows the deposit.
  const isClosable = head.unixSeconds >= deadline + CLOSE_DELAY_SECONDS
  return isClosable && (await chain.findDeposit(orderId)) !== undefined
}
