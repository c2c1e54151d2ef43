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
  RecoveryError,
  ringLeaves,
} from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import { readWithClock } from '../transfer/read-deposit.ts'
import type { ChainContext } from './balance-context.ts'
import { secretIn, type BalanceRecord } from './balance-state.ts'
import { balanceHash } from './balance-hash.ts'

/** A balance's newest known note, and its position in the tree. */
export interface OwnNote {
  readonly ticket: Ticket
  readonly secret: bigint
  readonly leafIndex: bigint
  readonly nullifier: bigint
}

/**
 * Returns the balance's newest known note with its index in the tree. If the store doesn't contain the index, searches
 * the Tree account itself, and then all leaves of the tree. Any source may provide these leaves, because their Merkle
 * root must equal the account's root.
 * @throws the RecoveryError that `indexOfLanded` throws.
 */
export async function ownNote(context: ChainContext, record: BalanceRecord): Promise<OwnNote> {
  const ticket = record.ticket
  const known = record.state.leafIndex
  const leafIndex = known === null ? await indexOfLanded(context, ticket) : BigInt(known)
  if (known === null) await record.save({ leafIndex: `${leafIndex}` })
  const nullifier = nullifierOf(balanceHash, ticket.note.nk, leafIndex)
  return { ticket, secret: secretIn(record.state), leafIndex, nullifier }
}

/**
 * The index of a ticket's note in the tree. The last payment's change note is nearly always among the last few leaves,
 * so these are read first. The Tree account contains the newest leaves, so a note among them is found without computing
 * the tree's hashes. These leaves needn't be verified, because a node that lies about them can't cause a wrong payment.
 * The client refuses terms with another index, and the service can't prove a payment from a leaf that isn't the note's.
 */
export async function leafIndexOf(
  { rpc, leaves, isLocalChain }: ChainContext,
  ticket: Ticket,
): Promise<bigint> {
  const { domain } = await readFixedPool(rpc, ticket.program)
  const leaf = leafOfNote(balanceHash, domain, ticket.note)
  const newest = await indexAmongNewest(rpc, ticket.program, leaf)
  if (newest !== undefined) return newest
  const ring = ringLeaves((await readTree(rpc, ticket.program)).account)
  const place = ring.leaves.indexOf(leaf)
  if (place >= 0) return BigInt(ring.first + place)
  const options = { sources: leaves, isLocalChain }
  return (await locateNote(rpc, balanceHash, ticket, options)).position.leafIndex
}

/** Codes of errors that say that the note isn't in the tree. */
const MISSING: ReadonlySet<string> = new Set([
  'NEVER_DEPOSITED',
  'NOT_DEPOSITED_YET',
  'TICKET_DIFFERS',
  'CLOCK_DIFFERS',
])

/**
 * The index of a note that the chain has shown before. If the node's tree doesn't contain the note, the node lags: the
 * deposit or the payment that made the note is newer than the node's tree. Then the balance must not be reported as
 * unpaid.
 * @throws RecoveryError HISTORY_MISSING, after which the caller may try again; the other errors of `locateNote`.
 */
export async function indexOfLanded(context: ChainContext, ticket: Ticket): Promise<bigint> {
  try {
    return await leafIndexOf(context, ticket)
  } catch (error) {
    if (!(error instanceof RecoveryError) || !MISSING.has(error.code)) throw error
    throw new RecoveryError(
      'HISTORY_MISSING',
      "your node's tree does not contain the newest note of this balance yet: try again, or use another node",
    )
  }
}

/**
 * The leaf and the `nk` (the nullifier's key) of a payment's change note. The payment's signature is valid until
 * `validUntil`.
 */
export async function changeAfter(
  { rpc }: ChainContext,
  { ticket, nullifier, secret }: OwnNote,
  rest: { readonly change: Amount; readonly validUntil: UnixSeconds },
): Promise<{ readonly changeNk: bigint; readonly changeLeaf: bigint }> {
  const left = changeOf(balanceHash, ticket.note, { nullifier, secret, ...rest })
  const { domain } = await readFixedPool(rpc, ticket.program)
  return { changeNk: left.nk, changeLeaf: leafOfNote(balanceHash, domain, left) }
}

/** A note's state at a finalized slot: unspent (`open`), refunded, or paid out. */
export type NoteEnd =
  | { readonly kind: 'open'; readonly clock: UnixSeconds }
  /** The note's whole value was returned to the wallet. */
  | { readonly kind: 'refunded' }
  | {
      readonly kind: 'paid'
      /** The transaction that paid; undefined if the node no longer has it. */
      readonly found: SpentNote | undefined
    }

const unknownEnd = () =>
  new DisagreementError(
    'this note of the balance is too old to be settled, and your node does not show whether a payment spent it: ' +
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
 * Reads the note's Nullifier account and the chain's clock at the same finalized slot. Finalized state is never
 * rolled back. If the Nullifier account may already be closed, the transactions that name its address show how the
 * note was spent.
 *
 * @throws DisagreementError if the Nullifier account may be closed and the node shows no transaction that spent the
 *   note. RecoveryError WRONG_CLUSTER if the node doesn't show the program's Pool.
 */
export async function readNoteEnd(
  context: ChainContext,
  { ticket: { note }, nullifier }: OwnNote,
): Promise<NoteEnd> {
  const { rpc, programId } = context
  const account = await nullifierAddress(programId, nullifier)
  const { clock, found } = await readWithClock(context, account, 'finalized')
  const at = shownNullifier(programId, found)?.settledAt
  if (at === undefined && !mayBeClosed(note, clock)) return { kind: 'open', clock }
  // Until its expiry, a note can only be paid out. After its expiry, it can only be refunded (I5).
  if (at !== undefined && at > note.expiry) return { kind: 'refunded' }
  const spent = await findSettlement(rpc, programId, nullifier, at)
  if (spent === undefined && at === undefined) throw unknownEnd()
  if (spent === undefined) return { kind: 'paid', found: undefined }
  if (spent.settlement.isRefund) return { kind: 'refunded' }
  const { payee, payout, fee, time, changeLeaf } = spent.settlement
  const { signature } = spent
  return { kind: 'paid', found: { signature, payee, payout, fee, time, changeLeaf } }
}
