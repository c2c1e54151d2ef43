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
import type { ExplainedLeaves, Ledger } from '../../ports/upkeep-records.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import { leafOfAppended, payeesOf } from '../follow/appended-leaf.ts'
import type { TreeWitness } from '../follow/tree-witness.ts'
import type { VerifiedTree } from '../follow/verified-tree.ts'
import { complete } from '../pay/confirm.ts'
import type { NoteOpener } from '../notes/open-note.ts'
import { isBalance, type OpenedOrder } from '../notes/opened-order.ts'
import { isProvenSettlement, type ProvenDependencies } from '../notes/proven-settlement.ts'
import { notesOf, type OpenNotes } from './note-sums.ts'
import { unknownLeaves } from '../notes/unknown-leaves.ts'

/** Number of proofs that are checked without a pause for other work. Each check takes tens of milliseconds. */
const PIECE = 4

/** Two counts, at least this long apart, must explain all leaves. Only then are the leaves recorded as explained. */
const LASTING_SECONDS = 120n

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
  /** Undefined if only one node is configured. */
  readonly witness?: Pick<TreeWitness, 'confirmed'> | undefined
}

/** A settlement with a valid proof, and the transaction that contains it. */
interface ProvenChange extends ShownSettlement {
  readonly signature: string
  readonly slot: bigint
  readonly unixSeconds: UnixSeconds
}

/** The leaves that were appended after the last explained leaf. */
interface NewLeaves {
  readonly changes: readonly ProvenChange[]
  /** Number of leaves that are neither known orders' deposits nor proven settlements' changes. */
  readonly unexplained: number
}

/**
 * Creates a step that finds the leaves of settlements that owners of balances made without the service, and counts
 * these leaves as explained. None of these leaves is a deposit, so none can belong to an order that the database has
 * lost. A node could present the deposit of a lost order as a settlement. So a leaf counts as explained only if it is
 * the change of a settlement with a valid proof (`isProvenSettlement`).
 *
 * If the counts show unexplained leaves, the step reads all transactions that named the tree since the last explained
 * leaf. Because it reads all of them, the node doesn't learn which transactions matter.
 *
 * If an owner's settlement has spent the newest note of an open balance, the service can't return the rest any more. So
 * the balance's order ends.
 */
export function leafExplainer(d: ExplainDependencies): () => Promise<void> {
  /** The counts at the last read that left leaves unexplained. Until the counts change, nothing is read again. */
  let idle: string | undefined
  const known = new Map<number, ProvenChange>()
  let candidate: Candidate | undefined
  return async () => {
    if (d.verifier === undefined) return
    const counted = await count(d)
    if (counted === undefined) return
    const { ledger, notes, unknown, slot } = counted
    const before = await d.store.readExplained()
    // A spent note counts as settled if the tree has its change leaf. Another note's settlement may have appended an
    // equal leaf, so this count isn't certain. The database's own counts are certain.
    const isCertain = notes.settled === 0 && notes.appendedPayments === 0
    if (unknown === ledger.writtenOff) {
      known.clear()
      if (isCertain) candidate = await recordIfLasting(d, candidate, counted, before)
      return
    }
    candidate = undefined
    const counts = `${ledger.leaves} ${unknown} ${ledger.writtenOff}`
    if (unknown < ledger.writtenOff || ledger.leaves <= before.nextLeaf || counts === idle) return
    const { changes, unexplained } = await readNew(d, before, ledger.leaves, known)
    const open = await openedByNullifier(d)
    if (open === undefined) return
    const ended = await endSpentBalances(d, changes, open)
    const free = changes.filter(({ nullifier }) => !open.has(nullifier))
    const more = unknown - ledger.writtenOff
    // Leaves of open orders, and of deposits that aren't in the database, are unexplained for other reasons. If the
    // record included such a leaf, a later settlement would be counted in place of this leaf.
    const hasOthers = unexplained > 0 || free.length < changes.length || more > free.length
    if (ended || !isCertain) return
    if (hasOthers) {
      idle = counts
      return
    }
    // If a payment or a deposit was recorded since the count, the number of explained leaves would be wrong.
    const after = await count(d)
    if (after === undefined || !isEqual(after, counted)) return
    const ownerChanges = ledger.ownerChanges + more
    await d.store.recordExplained({ nextLeaf: ledger.leaves, slot, ownerChanges })
  }
}

/** Leaves that a count has explained, and the followed clock at that count. */
interface Candidate extends ExplainedLeaves {
  readonly sinceSeconds: UnixSeconds
}

/**
 * Records leaves as explained if a second count, `LASTING_SECONDS` later, explains all leaves too. One count may be
 * wrong for a moment, for example if an order ended because another note's settlement appended an equal leaf. Then the
 * leaf of another order, or of a lost order, would never count as unexplained again. With several nodes, two must
 * confirm the tree of the second count, because one node can hide leaves. Returns the candidate for the next count.
 */
async function recordIfLasting(
  { store, witness }: Pick<ExplainDependencies, 'store' | 'witness'>,
  candidate: Candidate | undefined,
  { ledger: { leaves: nextLeaf, ownerChanges }, slot }: Counted,
  before: ExplainedLeaves,
): Promise<Candidate | undefined> {
  const isValid = candidate?.ownerChanges === ownerChanges && candidate.nextLeaf <= nextLeaf
  const { unixSeconds } = await store.readCursor()
  const next = { nextLeaf, slot, ownerChanges, sinceSeconds: unixSeconds }
  if (nextLeaf <= before.nextLeaf) return undefined
  if (!isValid) return next
  const confirmed = witness?.confirmed(unixSeconds) ?? unixSeconds
  if (confirmed < candidate.sinceSeconds + LASTING_SECONDS) return candidate
  await store.recordExplained({ nextLeaf: candidate.nextLeaf, slot: candidate.slot, ownerChanges })
  return next
}

const COUNTS = ['leaves', 'deposited', 'payments', 'unsettled', 'ownerChanges'] as const

interface Counted {
  readonly ledger: Ledger
  readonly notes: OpenNotes
  readonly unknown: number
  readonly slot: bigint
}

/** Counts the leaves and the open notes. Returns undefined if the database or the tree changed during the count. */
async function count(d: ExplainDependencies): Promise<Counted | undefined> {
  const { slot } = await d.store.readCursor()
  const ledger = await d.store.readLedger()
  if (!d.tree.isVerified || ledger.leaves !== d.tree.size) return undefined
  // Leaves may have been appended after the cursor was read, so the cursor is read again. A node whose slot is older
  // than a leaf wouldn't show the leaf's Nullifier.
  const notes = await notesOf(d, (await d.store.readCursor()).slot)
  const after = await d.store.readLedger()
  if (COUNTS.some((name) => after[name] !== ledger[name])) return undefined
  return { ledger, notes, unknown: unknownLeaves(ledger, notes), slot }
}

/** True if no deposit, payment or end of an order was recorded between two counts. */
const isEqual = (one: Counted, other: Counted): boolean =>
  COUNTS.every((name) => one.ledger[name] === other.ledger[name]) &&
  one.notes.count === other.notes.count &&
  one.unknown === other.unknown

/**
 * Reads the transactions of the leaves from `before.nextLeaf` to `nextLeaf`. Checks the proofs of the settlements among
 * them. @throws Error if the node doesn't show the transactions of these leaves.
 */
async function readNew(
  d: ExplainDependencies,
  before: { readonly nextLeaf: number; readonly slot: bigint },
  nextLeaf: number,
  known: Map<number, ProvenChange>,
): Promise<NewLeaves> {
  // A node may have invented this slot, ahead of the chain's slot.
  const slotFrom = before.slot > SLOTS_AHEAD_MAX ? before.slot - SLOTS_AHEAD_MAX : 0n
  const transactions = await d.chain.readSettled(slotFrom, await d.chain.readHead())
  // A payee of a false settlement would only make quotes too careful, so proofs aren't needed here.
  await d.store.recordPaid(payeesOf(transactions))
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
  const leaves = listed.map(({ leaf }) => leaf)
  const start = placeOf(leaves, wanted)
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

/** Returns the index at which the sequence `wanted` begins in `listed`; undefined if `listed` lacks it. */
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

/** Returns the open orders and payments by their note's nullifier; undefined if one of them can't be opened. */
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
 * Ends open balances whose newest note the owner has spent without the service. Returns true if a balance was ended or
 * can end soon, or if one of the spent notes still has an open payment.
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
    // If the note has an open payment, the payment ends first. Either it has spent the note, or it can't land any more.
    isAny ||= note.isPaying
    const { balance } = note
    if (balance === undefined || note.isPaying || change.isRefund) continue
    if (balance.order.status !== 'deposited') continue
    isAny = true
    if (await isSpent(d, balance))
      await complete(d, balance, outcomeOf(change), { spent: { left: leftAfter(balance, change) } })
  }
  return isAny
}

/**
 * True if the node, or two of several nodes, show the Nullifier of a balance's note. A valid proof isn't enough. An
 * owner can prove a settlement that never landed, and one node can show it as the source of an equal leaf.
 */
async function isSpent(d: ExplainDependencies, { nullifier }: OpenedOrder): Promise<boolean> {
  const { slot } = await d.store.readCursor()
  const [shown] = (await d.chain.readNullifiers([nullifier], slot, [nullifier])).settled
  return shown !== undefined && shown.isAlone !== true && shown.isDisputed !== true
}

/** The order of a balance must not show the owner's payees and amounts. */
const outcomeOf = ({ signature, slot, unixSeconds, mint }: ProvenChange): SettlementOutcome => ({
  ...{ kind: 'delivery', signature, slot, unixSeconds, assetId: mint, amount: undefined },
})

const leftAfter = ({ note }: OpenedOrder, { payout, fee }: ProvenChange): Amount =>
  without(note.value, sumOf([payout, fee]))
