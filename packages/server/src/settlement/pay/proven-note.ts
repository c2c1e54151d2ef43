import { NATIVE_MINT, type UnixSeconds } from '@sotto/protocol'
import type { FoundSettlement, SettledNote } from '../../ports/settlement-chain.ts'
import { isEqual, isProven, type EndDependencies } from './end-payment.ts'
import type { OpenedOrder } from '../notes/opened-order.ts'

/** A settlement that a node shows with a valid proof, and the facts about the note that follow from it. */
interface ProvenNote {
  readonly found: FoundSettlement
  readonly settled: SettledNote
}

/**
 * Finds the settlement of a note if nodes show different Nullifiers for it (invariant I10). The settlement's proof must
 * be valid under a root of the verified tree.
 *
 * A proof alone doesn't show that the settlement landed. A ticket's holder can prove a delivery and a refund of the
 * note at any time, and both append the same leaf. So the holder and one node together could choose the outcome. Two
 * more conditions prevent this:
 * - All settlements that nodes show with a valid proof must be the same settlement.
 * - At least two nodes must show a Nullifier whose time is on the same side of the expiry as the settlement's time.
 *   These nodes must be more than half of the nodes that show a Nullifier.
 *
 * The result uses the settlement's public time in place of the Nullifier's time. For a refund, both times are after the
 * expiry. For any other settlement, both are at or before the expiry. A settlement doesn't show who paid for the
 * Nullifier, so the payer stays unknown.
 *
 * @param disputed the Nullifier, with the times that the nodes show.
 * @returns undefined if the nodes' answers don't decide.
 */
export async function provenNote(
  d: EndDependencies,
  opened: OpenedOrder,
  disputed: SettledNote,
): Promise<ProvenNote | undefined> {
  const proven: FoundSettlement[] = []
  for (const found of await shownTo(d, opened, disputed)) {
    if (await isProven(d, opened, found)) proven.push(found)
  }
  const [found] = proven
  if (found?.shown === undefined || !proven.every((one) => isEqual(one, found))) return undefined
  const { time } = found.shown
  if (!isSideOfTwo(opened, time, disputed)) return undefined
  // No relayer has the address of the native mint. So this address stands for an unknown payer.
  return { found, settled: { atSeconds: time, rentPayer: NATIVE_MINT, isAlone: true } }
}

/**
 * Counts the nodes whose time is on the same side of the expiry as `time`. True if there are at least two, and they are
 * more than half of the nodes that show a time.
 */
function isSideOfTwo(
  { note: { expiry } }: OpenedOrder,
  time: UnixSeconds,
  { shownAt = [] }: SettledNote,
): boolean {
  const same = shownAt.filter((one) => one > expiry === time > expiry).length
  return same >= 2 && 2 * same > shownAt.length
}

async function shownTo(
  { chain, log }: Pick<EndDependencies, 'chain' | 'log'>,
  { nullifier }: OpenedOrder,
  { atSeconds }: SettledNote,
): Promise<readonly FoundSettlement[]> {
  try {
    if (chain.findSettlements !== undefined)
      return await chain.findSettlements(nullifier, atSeconds)
    return [await chain.findSettlement(nullifier, atSeconds)].flatMap((one) => one ?? [])
  } catch (error) {
    log.failed('find_settlement', error)
    return []
  }
}
