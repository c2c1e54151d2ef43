import type { FoundSettlement } from '../../ports/settlement-chain.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import { isProven } from './end-payment.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'
import type { ProvenDependencies } from '../notes/proven-settlement.ts'
import { hasUnknown, type EvidenceDependencies } from '../notes/settlement-evidence.ts'

type RecountDependencies = Omit<EvidenceDependencies, 'tree' | 'store' | 'firstReadings'> &
  ProvenDependencies & {
    readonly store: EvidenceDependencies['store'] &
      Pick<SettlementStore, 'readExplained' | 'forgetExplained'>
  }

/**
 * Makes the service explain its leaves again (see `leafExplainer`) if an open order's own settlement was counted as the
 * settlement of another note. The function recognises this mistake by four facts. The settlement's proof is valid, and
 * its leaf isn't the expected leaf. The records of explained leaves include this leaf, and no leaf is unexplained.
 *
 * Without this step, the order could never end by its Nullifier. If it ended in another way, the books would seem to
 * differ, and the service would halt new orders. Returns true if records were deleted. Then the order can end in a
 * later round.
 */
export async function recountLeaves(
  d: RecountDependencies,
  opened: OpenedOrder,
  found: FoundSettlement,
): Promise<boolean> {
  if (found.changeLeaf === opened.changeLeaf) return false
  const index = (await d.store.findLeaves([found.changeLeaf])).get(found.changeLeaf)
  if (index === undefined || index <= opened.leafIndex) return false
  if (index >= (await d.store.readExplained()).nextLeaf) return false
  if ((await hasUnknown(d)) || !(await isProven(d, opened, found))) return false
  await d.store.forgetExplained(index)
  return true
}
