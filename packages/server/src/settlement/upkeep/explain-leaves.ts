import { sumOf, without, type Amount, type UnixSeconds } from '@sotto/protocol'
import { SLOTS_AHEAD_MAX } from '../../domain/followed-slot.ts'
import type { SettlementOutcome } from '../../domain/order-secrets.ts'
import type {
  ChainFollow,
  ChainPay,
  ChainUpkeep,
  ShownSettlement,
} from '../../ports/settlement-chain.ts'
import type { SettlementStore } from '../../ports/settlement-store.ts'
import type { Ledger } from '../../ports/upkeep-records.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { leafOfAppended } from '../follow/appended-leaf.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import { complete } from '../pay/confirm.ts'
import type { NoteOpener } from '../pay/open-note.ts'
import { isBalance, type OpenedOrder } from '../pay/opened-order.ts'
import { isProvenSettlement, type ProvenDependencies } from '../pay/proven-settlement.ts'
import { notesOf, type OpenNotes } from './note-sums.ts'
import { unknownLeaves } from './unknown-leaves.ts'

/** Number of proofs that are checked without a pause. Each check takes tens of milliseconds. */
const PIECE = 4

export interface ExplainDependencies extends ProvenDependencies {
  readonly chain: Pick<ChainUpkeep, 'readSettled'> &
    Pick<ChainFollow, 'readHead' | 'forgetHistory'> &
    Pick<ChainPay, 'readNullifiers'>
  readonly store: SettlementStore
  readonly opener: NoteOpener
  readonly tree: VerifiedTree
  readonly random: Random
  readonly clock: Clock
  readonly log: SettlementLog
}

/** A settlement whose proof holds, with its transaction. */
interface ProvenChange extends ShownSettlement {
  readonly signature: string
  readonly slot: bigint
  readonly unixSeconds: UnixSeconds
}

/** The leaves that came after the last explained one. */
interface NewLeaves {
  readonly changes: readonly ProvenChange[]
  /** Number of leaves that aren't proven to be settlements, and aren't deposits of known orders. */
  readonly unexplained: number
}

/**
 * A step that finds out which leaves come from settlements that owners of balances made without the service. These
 * leaves then count as explained: none of them is a deposit, so none can be the money of an order that the database has
 * lost. A node could present a lost order's deposit as a settlement. Therefore only a settlement whose proof holds
 * under a root of the verified tree explains a leaf. The counts of leaves show whether there are unexplained ones. If
 * so, all transactions are read that named the tree since the last explained leaf. A node doesn't learn which of them
 * matter, because all are read.
 *
 * If such a settlement has spent an open balance's newest note, the balance's order ends: the service can't return its
 * rest any more.
 */
export function leafExplainer(d: ExplainDependencies): () => Promise<void> {
  /** The counts at the last read that explained nothing. Until they change, nothing is read again. */
  let idle: string | undefined
  const known = new Map<number, ProvenChange>()
  return async () => {
    if (d.verifier === undefined) return
    const counted = await count(d)
    if (counted === undefined) return
    const { ledger, notes, unknown, slot } = counted
    const before = await d.store.readExplained()
    // A spent note counts as settled if the tree has its leaf. An equal leaf of another note may be there first. Only
    // the database's own counts are certain.
    const isCertain = notes.settled === 0 && notes.appendedPayments === 0
    if (unknown === ledger.writtenOff) {
      known.clear()
      const isNew = ledger.leaves > before.nextLeaf && isCertain
      const { leaves: nextLeaf, ownerChanges } = ledger
      if (isNew) await d.store.recordExplained({ nextLeaf, slot, ownerChanges })
      return
    }
    const counts = `${ledger.leaves} ${unknown} ${ledger.writtenOff}`
    if (unknown < ledger.writtenOff || ledger.leaves <= before.nextLeaf || counts === idle) return
    const { changes, unexplained } = await readNew(d, before, ledger.leaves, known)
    const open = await openedByNullifier(d)
    if (open === undefined) return
    const ended = await endSpentBalances(d, changes, open)
    const free = changes.filter(({ nullifier }) => !open.has(nullifier))
    const more = unknown - ledger.writtenOff
    // The leaves of open orders, and deposits that aren't in the database, are unknown for other reasons. A record that
    // includes such a leaf would hide it, and the next settlement would then count in its place.
    const hasOthers = unexplained > 0 || free.length < changes.length || more > free.length
    if (ended || !isCertain) return
    if (hasOthers) {
      idle = counts
      return
    }
    // A payment or deposit that is recorded meanwhile would make the number wrong.
    const after = await count(d)
    if (after === undefined || !isEqual(after, counted)) return
    const ownerChanges = ledger.ownerChanges + more
    await d.store.recordExplained({ nextLeaf: ledger.leaves, slot, ownerChanges })
  }
}

const COUNTS = ['leaves', 'deposited', 'payments', 'unsettled', 'ownerChanges'] as const

interface Counted {
  readonly ledger: Ledger
  readonly notes: OpenNotes
  readonly unknown: number
  readonly slot: bigint
}

/** Undefined if the database and the tree changed during the count. */
async function count(d: ExplainDependencies): Promise<Counted | undefined> {
  const { slot } = await d.store.readCursor()
  const ledger = await d.store.readLedger()
  if (!d.tree.isVerified || ledger.leaves !== d.tree.size) return undefined
  // The leaves may have come after the cursor was read. A node that is older than a leaf would hide its Nullifier.
  const notes = await notesOf(d, (await d.store.readCursor()).slot)
  const after = await d.store.readLedger()
  if (COUNTS.some((name) => after[name] !== ledger[name])) return undefined
  return { ledger, notes, unknown: unknownLeaves(ledger, notes), slot }
}

/** True if nothing was paid in, paid out or ended between two counts. */
const isEqual = (one: Counted, other: Counted): boolean =>
  COUNTS.every((name) => one.ledger[name] === other.ledger[name]) &&
  one.notes.count === other.notes.count &&
  one.unknown === other.unknown

/** @throws Error if the node doesn't show the transactions of these leaves. */
async function readNew(
  d: ExplainDependencies,
  before: { readonly nextLeaf: number; readonly slot: bigint },
  nextLeaf: number,
  known: Map<number, ProvenChange>,
): Promise<NewLeaves> {
  // The slot may be one that a node invented, ahead of the chain.
  const slotFrom = before.slot > SLOTS_AHEAD_MAX ? before.slot - SLOTS_AHEAD_MAX : 0n
  const transactions = await d.chain.readSettled(slotFrom, await d.chain.readHead())
  const listed = transactions.flatMap(({ appended, ...transaction }) =>
    appended.map((one) => ({
      leaf: leafOfAppended(d.poseidon, d.pool.domain, one),
      settlement: one.kind === 'change' ? one.settlement : undefined,
      transaction,
    })),
  )
  const wanted = Array.from({ length: nextLeaf - before.nextLeaf }, (_, place) =>
    d.tree.leaf(before.nextLeaf + place),
  )
  const start = placeOf(
    listed.map(({ leaf }) => leaf),
    wanted,
  )
  if (start === undefined) {
    d.chain.forgetHistory()
    throw new Error("the node's transactions do not match the leaves")
  }
  const deposits = await d.store.listDeposits(before.nextLeaf)
  const changes: ProvenChange[] = []
  let unexplained = 0
  for (const place of wanted.keys()) {
    const index = before.nextLeaf + place
    if (deposits.has(index)) continue
    const { settlement, transaction } = listed[start + place] ?? {}
    const former = known.get(index)
    if (former !== undefined && former.changeLeaf === wanted[place]) changes.push(former)
    else if (settlement === undefined || transaction === undefined) unexplained += 1
    else if (isProvenSettlement(d, index, settlement)) {
      const change = { ...settlement, ...transaction }
      known.set(index, change)
      changes.push(change)
    } else unexplained += 1
    if (place % PIECE === PIECE - 1) await new Promise(setImmediate)
  }
  return { changes, unexplained }
}

/** The index at which a sequence begins in another one. */
function placeOf(
  listed: readonly bigint[],
  wanted: readonly (bigint | undefined)[],
): number | undefined {
  for (let start = 0; start + wanted.length <= listed.length; start += 1) {
    if (wanted.every((leaf, place) => listed[start + place] === leaf)) return start
  }
  return undefined
}

interface OpenNote {
  readonly balance: OpenedOrder | undefined
  readonly isPaying: boolean
}

/** Open orders and payments, by the nullifier of their note. Undefined if one of them can't be opened. */
async function openedByNullifier({
  store,
  opener,
}: ExplainDependencies): Promise<ReadonlyMap<bigint, OpenNote> | undefined> {
  const payments = await store.listPayments()
  const orders = await store.listOpen()
  const openPayments = await opener.openPayments(payments)
  const openOrders = await opener.openAll(orders)
  if (openPayments.length < payments.length || openOrders.length < orders.length) return undefined
  const notes = new Map<bigint, OpenNote>()
  for (const one of openOrders) {
    notes.set(one.nullifier, { balance: isBalance(one) ? one : undefined, isPaying: false })
  }
  for (const { nullifier } of openPayments) {
    notes.set(nullifier, { balance: notes.get(nullifier)?.balance, isPaying: true })
  }
  return notes
}

/**
 * Ends open balances whose newest note was spent by its owner. Returns true if a balance was ended, or if a payment
 * from such a note is still open.
 */
async function endSpentBalances(
  d: ExplainDependencies,
  changes: readonly ProvenChange[],
  open: ReadonlyMap<bigint, OpenNote>,
): Promise<boolean> {
  let isAny = false
  for (const change of changes) {
    const note = open.get(change.nullifier)
    if (note === undefined) continue
    // An open payment from the note ends first: either it has spent the note, or it can never land.
    isAny ||= note.isPaying
    const { balance } = note
    if (balance === undefined || note.isPaying || change.isRefund) continue
    if (balance.order.status !== 'deposited') continue
    isAny = true
    await complete(d, balance, outcomeOf(change), { spent: { left: leftAfter(balance, change) } })
  }
  return isAny
}

/** The order of a balance must not show the owner's payees and amounts. */
const outcomeOf = ({ signature, slot, unixSeconds, mint }: ProvenChange): SettlementOutcome => ({
  ...{ kind: 'delivery', signature, slot, unixSeconds, assetId: mint, amount: undefined },
})

const leftAfter = ({ note }: OpenedOrder, { payout, fee }: ProvenChange): Amount =>
  without(note.value, sumOf([payout, fee]))
