import {
  changeOf,
  leafOfNote,
  nullifierAddress,
  nullifierOf,
  shownNullifier,
  type Ticket,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import {
  findSettlement,
  indexAmongNewest,
  locateNote,
  mayBeClosed,
  readFixedPool,
  readTree,
  ringLeaves,
} from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { readWithClock } from '../transfer/read-deposit.ts'
import type { ChainContext } from './balance-context.ts'
import { secretIn, type BalanceRecord } from './balance-state.ts'
import { balanceHash } from './balance-hash.ts'

/** A balance's newest known note, and its place in the tree. */
export interface OwnNote {
  readonly ticket: Ticket
  readonly secret: bigint
  readonly leafIndex: bigint
  readonly nullifier: bigint
}

/**
 * Finds the balance's note in the tree: in the Tree account itself, or among leaves whose root is the account's root.
 * @throws RecoveryError as `locateNote`.
 */
export async function ownNote(context: ChainContext, record: BalanceRecord): Promise<OwnNote> {
  const ticket = record.ticket
  const known = record.state.leafIndex
  const leafIndex = known === null ? await leafIndexOf(context, ticket) : BigInt(known)
  if (known === null) await record.save({ leafIndex: `${leafIndex}` })
  const nullifier = nullifierOf(balanceHash, ticket.note.nk, leafIndex)
  return { ticket, secret: secretIn(record.state), leafIndex, nullifier }
}

/**
 * The index of a ticket's note in the tree. The newest notes are in the Tree's account itself, so no hashes are needed.
 * The rest of the last payment is nearly always among the last few leaves, which are read first. The leaves needn't be
 * verified by their hashes: terms that the service sends for another index are refused, and a payment out of another
 * leaf can't be proved.
 */
export async function leafIndexOf({ rpc, leaves }: ChainContext, ticket: Ticket): Promise<bigint> {
  const { domain } = await readFixedPool(rpc, ticket.program)
  const leaf = leafOfNote(balanceHash, domain, ticket.note)
  const newest = await indexAmongNewest(rpc, ticket.program, leaf)
  if (newest !== undefined) return newest
  const ring = ringLeaves((await readTree(rpc, ticket.program)).account)
  const place = ring.leaves.lastIndexOf(leaf)
  if (place >= 0) return BigInt(ring.first + place)
  return (await locateNote(rpc, balanceHash, ticket, { sources: leaves })).position.leafIndex
}

/** The change of a payment whose signature ends at `validUntil`: its leaf, and the `nk` that opens it. */
export async function changeAfter(
  { rpc }: ChainContext,
  { ticket, nullifier, secret }: OwnNote,
  rest: { readonly change: Amount; readonly validUntil: UnixSeconds },
): Promise<{ readonly changeNk: bigint; readonly changeLeaf: bigint }> {
  const left = changeOf(balanceHash, ticket.note, { nullifier, secret, ...rest })
  const { domain } = await readFixedPool(rpc, ticket.program)
  return { changeNk: left.nk, changeLeaf: leafOfNote(balanceHash, domain, left) }
}

/** A note's state in a finalized slot: unspent, refunded or paid out. */
export type NoteEnd =
  | { readonly kind: 'open'; readonly clock: UnixSeconds }
  /** The whole rest went back to the wallet. */
  | { readonly kind: 'refunded' }
  | {
      readonly kind: 'paid'
      /** Undefined if the node no longer has the transaction. */
      readonly found: SpentNote | undefined
    }

const unknownEnd = () =>
  new DisagreementError(
    'this note of the balance is too old to be settled, and your node does not show whether it made a payment: ' +
      'use a node with more history',
  )

export interface SpentNote {
  readonly signature: string
  readonly payee: string
  readonly payout: Amount
  readonly fee: Amount
  readonly time: UnixSeconds
  readonly changeLeaf: bigint
}

/**
 * Reads note and clock in one finalized slot, because finalized state is never undone. Once the note's Nullifier may be
 * closed, the transactions that name the Nullifier show how the note was spent.
 *
 * @throws DisagreementError if the Nullifier may be closed and the node shows no such transaction.
 */
export async function readNoteEnd(
  { rpc, programId }: ChainContext,
  { ticket: { note }, nullifier }: OwnNote,
): Promise<NoteEnd> {
  const account = await nullifierAddress(programId, nullifier)
  const { clock, found } = await readWithClock(rpc, account, 'finalized')
  const at = shownNullifier(programId, found)?.settledAt
  if (at === undefined && !mayBeClosed(note, clock)) return { kind: 'open', clock }
  // A note is paid out up to its expiry, and refunded after it (I5).
  if (at !== undefined && at > note.expiry) return { kind: 'refunded' }
  const spent = await findSettlement(rpc, programId, nullifier, at)
  if (spent === undefined && at === undefined) throw unknownEnd()
  if (spent === undefined) return { kind: 'paid', found: undefined }
  if (spent.settlement.isRefund) return { kind: 'refunded' }
  const { payee, payout, fee, time, changeLeaf } = spent.settlement
  const { signature } = spent
  return { kind: 'paid', found: { signature, payee, payout, fee, time, changeLeaf } }
}
