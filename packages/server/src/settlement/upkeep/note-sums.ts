import { lastRefundClock } from '@sotto/protocol'
import type { ChainPay } from '../../ports/settlement-chain.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { Random } from '../../ports/random.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import { isBalance, type OpenedOrder } from '../notes/opened-order.ts'
import { withChangeLeaf } from '../notes/settlement-evidence.ts'
import { shuffled } from '../pay/shuffled.ts'
import { hexOf } from '../../domain/hex.ts'

/** The sums of an asset's notes according to the database, in base units. */
export interface NoteSums {
  readonly unsettled: bigint
  /**
   * The sum of the notes whose state is unknown. Their keys may be missing, or their Nullifier accounts may already be
   * closed. Or they belong to balances, whose owners may have paid without the service.
   */
  readonly unclear: bigint
}

export interface OpenNotes {
  /** The slot at which the notes' Nullifiers were read. */
  readonly slot: bigint
  readonly byMint: ReadonlyMap<string, NoteSums>
  /** Number of notes that are open in the database. */
  readonly count: number
  /** Number of these notes that are settled on the chain. */
  readonly settled: number
  /**
   * Number of notes that are spent on the chain and belong to payments that are still open in the database. Notes that
   * `settled` counts aren't included.
   */
  readonly appendedPayments: number
}

/**
 * Sums the notes that are open in the database and weren't settled on the chain. Their Nullifiers are read at `slotMin`
 * or later. A note counts as settled if the tree has the leaf that its settlement appends, and its Nullifier account
 * exists. The caller compares the sums with the pool's books.
 *
 * Only the Nullifiers of notes with such a leaf are requested. Requests for other Nullifiers would show the node which
 * notes wait, and in which sequence these notes were deposited. After the refund window, a note without such a leaf may
 * have been settled with another leaf, so its state is unclear.
 */
export async function notesOf(
  d: {
    readonly chain: Pick<ChainPay, 'readNullifiers'>
    readonly store: Pick<SettlementStore, 'listOpen' | 'listPayments' | 'readCursor' | 'findLeaves'>
    readonly opener: Pick<NoteOpener, 'openAll' | 'openPayments'>
    readonly random: Random
  },
  slotMin: bigint,
): Promise<OpenNotes> {
  const payments = await d.opener.openPayments(await d.store.listPayments())
  const open = await d.store.listOpen()
  const { unixSeconds } = await d.store.readCursor()
  const opened = await d.opener.openAll(open)
  const perhaps = shuffled(d.random, await withChangeLeaf(d, [...opened, ...payments]))
  const asked = [...new Set(perhaps.map(({ nullifier }) => nullifier))]
  const { slot, settled } =
    asked.length === 0
      ? { slot: slotMin, settled: [] }
      : await d.chain.readNullifiers(asked, slotMin, asked)
  const spent = new Set(asked.filter((_, index) => settled[index] !== undefined))
  const spentOnes = perhaps.filter(({ nullifier }) => spent.has(nullifier))
  const keyOf = ({ order }: OpenedOrder) => hexOf(order.orderId)
  const areSettled = new Set(spentOnes.filter(({ payment }) => !payment).map(keyOf))
  for (const one of spentOnes) if (areSettled.has(keyOf(one))) spent.delete(one.nullifier)
  const areKnown = new Set(opened.filter((one) => !isBalance(one)).map(keyOf))
  const values = new Map(opened.map((one) => [keyOf(one), one.note.value]))
  const sums = new Map<string, NoteSums>()
  for (const { orderId, destinationMint, expiry, ...order } of open) {
    const key = hexOf(orderId)
    const value = values.get(key) ?? order.value
    const { unsettled, unclear } = sums.get(destinationMint) ?? { unsettled: 0n, unclear: 0n }
    if (areSettled.has(key)) sums.set(destinationMint, { unsettled, unclear })
    else if (!areKnown.has(key) || unixSeconds > lastRefundClock(expiry))
      sums.set(destinationMint, { unsettled, unclear: unclear + value })
    else sums.set(destinationMint, { unsettled: unsettled + value, unclear })
  }
  const counts = { count: open.length, settled: areSettled.size, appendedPayments: spent.size }
  return { slot, byMint: sums, ...counts }
}
