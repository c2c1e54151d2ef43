import { REFUND_WINDOW_SECONDS } from '@sotto/protocol'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { NoteOpener } from '../pay/open-note.ts'
import { hexOf } from '../../domain/hex.ts'

/** The sums of an asset's notes according to the database, in base units. */
export interface NoteSums {
  readonly unsettled: bigint
  /** Notes in an unknown state: their keys are missing, or their Nullifiers may have been closed. */
  readonly unclear: bigint
}

export interface OpenNotes {
  /** The slot at which their Nullifiers were read. */
  readonly slot: bigint
  readonly byMint: ReadonlyMap<string, NoteSums>
  /** How many they are. */
  readonly count: number
  /** The leaves that their settlements append. */
  readonly changeLeaves: readonly bigint[]
}

/**
 * Sums the notes that are open in the database, except those whose Nullifiers exist at the given slot or later.
 * Nullifiers are closed only after the refund window; from then on, an absent one proves nothing.
 */
export async function notesOf(
  d: {
    readonly chain: Pick<ChainPay, 'readNullifiers'>
    readonly store: SettlementStore
    readonly opener: NoteOpener
  },
  slotMin: bigint,
): Promise<OpenNotes> {
  const open = await d.store.listOpen()
  if (open.length === 0) return { slot: slotMin, byMint: new Map(), count: 0, changeLeaves: [] }
  const { unixSeconds } = await d.store.readCursor()
  const opened = await d.opener.openAll(open)
  const { slot, settled } = await d.chain.readNullifiers(
    opened.map(({ nullifier }) => nullifier),
    slotMin,
  )
  const isSettled = new Map(
    opened.map(({ order }, index) => [hexOf(order.orderId), settled[index] !== undefined]),
  )
  const sums = new Map<string, NoteSums>()
  for (const { orderId, destinationMint, value, expiry } of open) {
    const { unsettled, unclear } = sums.get(destinationMint) ?? { unsettled: 0n, unclear: 0n }
    const isThere = isSettled.get(hexOf(orderId))
    const isPast = unixSeconds > expiry + REFUND_WINDOW_SECONDS
    const known = isPast && isThere === false ? undefined : isThere
    sums.set(destinationMint, {
      unsettled: known === false ? unsettled + value : unsettled,
      unclear: known === undefined ? unclear + value : unclear,
    })
  }
  const changeLeaves = opened.map(({ changeLeaf }) => changeLeaf)
  return { slot, byMint: sums, count: open.length, changeLeaves }
}
