import { TREE_LEAVES, type Amount } from '@sotto/protocol'
import type { AssetBooks, ChainUpkeep, PoolBooks, ChainPay } from '../../ports/settlement-chain.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import { notesOf, type NoteSums } from './note-sums.ts'
import { unknownLeaves } from '../notes/unknown-leaves.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'

/**
 * Pause before the second comparison, which must find the same difference. During the pause, the chain finalizes
 * several slots.
 */
const CONFIRM_MS = 2_000
/**
 * Maximum number of pauses in which the follow loop may make progress. The follow loop copies the finalized chain into
 * the database. Together, these pauses are several times as long as a round of that loop, and shorter than the shutdown
 * timeout. If the loop makes no progress, the difference isn't confirmed, and the next round of reconciliation compares
 * again.
 */
const PAUSES_MAX = 5
/**
 * Maximum number of comparisons in one round. A comparison takes a few milliseconds. Its result is used only if the
 * books didn't change in this time.
 */
const ROUNDS_MAX = 5
/** An alert is raised after this many consecutive rounds without a result. Failed rounds count too. */
const BLIND_MAX = 30
/**
 * An alert is raised after this many consecutive rounds with unexplained leaves. Before that, `leafExplainer` may find
 * the origin of these leaves.
 */
const UNEXPLAINED_MAX = 4

export interface ReconcileDependencies {
  readonly chain: ChainUpkeep & Pick<ChainPay, 'readNullifiers'>
  readonly store: SettlementStore
  readonly log: SettlementLog
  readonly clock: Clock
  readonly random: Random
  readonly opener: NoteOpener
  readonly tree: VerifiedTree
}

/**
 * The result of comparing the chain with the database. `unknown`: they can't be compared now. `vault_short`: a vault
 * has less than its books show, which doesn't depend on the database.
 */
type BooksVerdict = 'agree' | 'books_differ' | 'vault_short' | 'root_mismatch' | 'unknown'

interface Comparison {
  readonly verdict: BooksVerdict
  /**
   * True if the tree has more leaves than orders, payments and write-offs explain. Undefined if the leaves weren't
   * counted.
   */
  readonly isUnexplained?: boolean
  /** Number of leaves from payments that owners made without the service. */
  readonly ownerChanges?: number
}

/**
 * Creates a step that compares the pool's vaults, books and tree root with one another and with the database. If the
 * step finds the same difference twice, it halts new orders. Orders that are already deposited are still paid. After a
 * later comparison has found no difference, an operator can admit new orders again. The service never does that
 * automatically.
 */
export function reconciler(d: ReconcileDependencies): () => Promise<void> {
  let [blind, unexplained, explained] = [0, 0, 0]
  const counted = (isBlind: boolean) => {
    blind = isBlind ? blind + 1 : 0
    if (blind >= BLIND_MAX) d.log.alert('books_unchecked')
  }
  const round = async (): Promise<BooksVerdict> => {
    const { isUnexplained, ownerChanges = explained, ...comparison } = await compareBooks(d)
    let { verdict } = comparison
    // While the leaf explainer makes progress, it may also find the origin of the remaining leaves.
    if (isUnexplained === false || ownerChanges !== explained) unexplained = 0
    else if (isUnexplained === true) unexplained += 1
    explained = ownerChanges
    if (unexplained >= UNEXPLAINED_MAX) d.log.alert('deposit_terms_differ')
    if (verdict !== 'agree' && verdict !== 'unknown' && !(await isConfirmed(d, verdict))) {
      verdict = 'unknown'
    }
    return verdict
  }
  return async () => {
    const verdict = await round().catch((error: unknown) => {
      counted(true)
      throw error
    })
    counted(verdict === 'unknown')
    if (verdict === 'unknown') return
    await d.store.recordBooks(verdict === 'agree', d.clock.nowMs())
    if (verdict === 'agree') return
    const reason = verdict === 'root_mismatch' ? verdict : 'books_differ'
    d.log.alert(reason)
    await d.store.halt(reason)
  }
}

/**
 * True if a second comparison has the same result. The second comparison may use another node. So a mismatch that only
 * one node shows is usually not confirmed. A database that lags behind the chain can also cause `books_differ`. So for
 * this result, the database must have followed the chain further before the second comparison. The other mismatches
 * don't depend on such a lag.
 */
async function isConfirmed(d: ReconcileDependencies, verdict: BooksVerdict): Promise<boolean> {
  const { slot } = await d.store.readCursor()
  for (let pause = 0; pause < PAUSES_MAX; pause += 1) {
    await d.clock.sleep(CONFIRM_MS)
    const isFurther = verdict !== 'books_differ' || (await d.store.readCursor()).slot > slot
    if (isFurther) return (await compareBooks(d)).verdict === verdict
  }
  return false
}

/**
 * Makes one comparison. Each vault is compared with the asset's books at the same slot (invariants I1 and I9). The
 * chain's root is compared with the root of the followed tree. The amounts that the books show as owed are compared
 * with the unsettled notes of the database. Books and notes can't be read at one slot, so the books are read before and
 * after the notes. If the two readings of the books are equal, the books didn't change in between. If they differ, the
 * result isn't used.
 */
async function compareBooks(d: ReconcileDependencies): Promise<Comparison> {
  if (d.tree.isRefuted) return { verdict: 'root_mismatch' }
  for (let round = 0; round < ROUNDS_MAX; round += 1) {
    const before = await d.chain.readBooks()
    if (before.assets.some(isShort)) return { verdict: 'vault_short' }
    const ledger = await d.store.readLedger()
    const isWhole = d.tree.isVerified && before.nextLeaf === BigInt(d.tree.size)
    if (!isWhole || ledger.leaves !== d.tree.size) return { verdict: 'unknown' }
    if (d.tree.size > 0 && d.tree.root !== before.root) return { verdict: 'root_mismatch' }
    const notes = await notesOf(d, before.slot)
    // The books of a node that lags behind the database still contain the notes of orders that have ended.
    if (before.slot < (await d.store.readCursor()).slot) return { verdict: 'unknown' }
    const after = await d.chain.readBooks()
    if (after.slot < notes.slot || !areEqual(before, after)) continue
    // A payment that was completed between the two readings of the ledger may have been counted twice or not at all.
    if ((await d.store.readLedger()).payments !== ledger.payments) continue
    // If the node shows no books of an asset that has open notes, the amount owed in this asset is unknown.
    const shown = new Set<string>(before.assets.map(({ mint }) => mint))
    if ([...notes.byMint.keys()].some((mint) => !shown.has(mint))) return { verdict: 'unknown' }
    const unknown = unknownLeaves(ledger, notes)
    const { ownerChanges } = ledger
    const counted = { isUnexplained: unknown > 2 * ledger.writtenOff, ownerChanges }
    // A negative number means that orders have ended in the database, but the tree lacks the leaves of their
    // settlements. This counts as a difference, except in a full tree, because a refund appends no leaf there.
    if (unknown < 0 && BigInt(ledger.leaves) < TREE_LEAVES) {
      return { verdict: 'books_differ', ...counted }
    }
    const isOwed = ({ mint, owed }: AssetBooks) =>
      fits(notes.byMint.get(mint), owed, ledger.keptByOwners.get(mint) ?? 0n, unknown > 0)
    if (before.assets.every(isOwed)) return { verdict: 'agree', ...counted }
    // If there are unexplained leaves, the holder of a ticket may have settled a note with an unexpected leaf. Then the
    // database still counts the note as unsettled, until the note's order becomes due and ends.
    return { verdict: unknown > 0 ? 'unknown' : 'books_differ', ...counted }
  }
  return { verdict: 'unknown' }
}

/**
 * True if a vault has less than its books show. It may have more, because anyone can send to it. `held` is the balance
 * without the minimum rent, so the rent is added again here. Without this addition, an increase of the cluster's
 * minimum rent would make the vault of SOL seem short, although no money is missing. After such an increase, only the
 * last notes can't be paid out, until someone sends the difference to the vault.
 */
function isShort({ held, rent, owed, fees, inventory }: AssetBooks): boolean {
  return held + rent < owed + fees + inventory
}

/**
 * True if the database's notes are consistent with the amount that is owed on the chain. A difference is allowed for
 * three reasons. Notes whose state is unclear may be settled or not. Owners of ended balances may have left any part of
 * their money in the pool. Any amount may be owed to the notes of unknown orders.
 */
function fits(
  sums: NoteSums | undefined,
  owed: Amount,
  kept: bigint,
  hasUnknown: boolean,
): boolean {
  const { unsettled, unclear } = sums ?? { unsettled: 0n, unclear: 0n }
  return owed >= unsettled && (hasUnknown || owed <= unsettled + unclear + kept)
}

function areEqual(one: PoolBooks, other: PoolBooks): boolean {
  const owedBy = new Map(other.assets.map(({ mint, owed }) => [mint, owed]))
  return (
    one.nextLeaf === other.nextLeaf &&
    one.assets.length === other.assets.length &&
    one.assets.every(({ mint, owed }) => owedBy.get(mint) === owed)
  )
}
