import { NATIVE_MINT } from '@sotto/protocol'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import { isProven, type EndDependencies } from './end-payment.ts'
import type { OpenedOrder } from './opened-order.ts'

/** A settlement that a node shows with its proof, and the facts that the proof shows about the note. */
interface ProvenNote {
  readonly found: FoundSettlement
  readonly settled: SettledNote
}

/**
 * Finds the settlement of a note whose Nullifier nodes show differently. It is the first settlement that any node shows
 * with a proof that holds under a root of the verified tree. No node can invent such a proof, so this settlement
 * decides (I10). Its public time replaces the Nullifier's time. Both are past the expiry for a refund, and not past it
 * for other settlements. The settlement doesn't show who paid for the Nullifier. Undefined if no node shows such a
 * settlement.
 */
export async function provenNote(
  d: EndDependencies,
  opened: OpenedOrder,
): Promise<ProvenNote | undefined> {
  for (const found of await shownTo(d, opened)) {
    if (found.shown === undefined || !(await isProven(d, opened, found))) continue
    // No relayer has this address.
    const settled = { atSeconds: found.shown.time, rentPayer: NATIVE_MINT, isAlone: true }
    return { found, settled }
  }
  return undefined
}

async function shownTo(
  { chain, log }: Pick<EndDependencies, 'chain' | 'log'>,
  { nullifier }: OpenedOrder,
): Promise<readonly FoundSettlement[]> {
  try {
    if (chain.findSettlements !== undefined) return await chain.findSettlements(nullifier)
    return [await chain.findSettlement(nullifier)].flatMap((one) => one ?? [])
  } catch (error) {
    log.failed('find_settlement', error)
    return []
  }
}
