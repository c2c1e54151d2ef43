import type { Order } from '@sotto/contract'
import {
  assetAddress,
  associatedTokenAddress,
  balanceChange,
  decodeTicket,
  isUsedBesidePayouts,
  NATIVE_MINT,
  nullifierAddress,
  nullifierOf,
  NULLIFIER_SECONDS,
  MAX_DEPOSIT_SECONDS,
  shownNullifier,
  sumOf,
  type Address,
  type Note,
  type RanSettlement,
  type TransactionRecord,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import { findSettlement } from '@sotto/recovery'
import { secondsOf } from '../verify/expected-terms.ts'
import { noteHash } from '../verify/poseidon.ts'
import { closesAt, readDeposit, readWithClock } from './read-deposit.ts'
import type { TransferContext } from './transfer-context.ts'
import type { Deposited, ProvenSettlement } from './transfer-state.ts'

/**
 * How an order ended according to the caller's own node. `open` means that the node doesn't prove an end yet, and
 * `missing` names the missing evidence.
 */
export type End =
  | { readonly kind: 'delivered' | 'refunded'; readonly settlement: ProvenSettlement }
  /** No deposit was made, and none can land any more. */
  | { readonly kind: 'expired' }
  /** The note can't be settled any more, and the chain no longer shows whether it was settled. */
  | { readonly kind: 'closed' }
  | {
      readonly kind: 'open'
      /** The chain's clock in the slot that was read last. */
      readonly clock: UnixSeconds
      readonly isPaid: boolean
      /** True if waiting doesn't help, because only a node with more history can show the end. */
      readonly needsHistory: boolean
      readonly missing: string
    }

type Prover = Pick<TransferContext, 'rpc' | 'programId'>

const open = (clock: UnixSeconds, isPaid: boolean, missing: string, needsHistory = false): End => ({
  kind: 'open',
  clock,
  isPaid,
  needsHistory,
  missing,
})

const hidden = (clock: UnixSeconds, isPaid: boolean, missing: string): End =>
  open(clock, isPaid, missing, true)

/** Reads from the caller's node, at finalized slots, how the order of a paid transfer ended. */
export async function proveEnd(context: Prover, state: Deposited): Promise<End> {
  const { order } = state
  const { clock, deposit } = await readDeposit(context, state, 'finalized')
  if (deposit.kind === 'paid') return proveSettlement(context, order, deposit.leafIndex)
  if (clock >= closesAt(order)) {
    // The Order account may be closed by now. The state contains the note's position if it was read before that.
    const { leafIndex } = state
    if (leafIndex !== null) return proveSettlement(context, order, BigInt(leafIndex))
    if (clock >= firstClosing(order)) return { kind: 'closed' }
    return hidden(
      clock,
      false,
      "the order's account may be closed, and without the account the note's position is unknown",
    )
  }
  if (deposit.kind === 'taken') return open(clock, false, "another deposit has the order's id")
  if (clock > secondsOf(order.expiration)) return { kind: 'expired' }
  return open(clock, false, 'the deposit is not final')
}

/**
 * The first second of the chain's clock at which the Nullifier account of the order's note may be closed. By then, the
 * note can't be settled any more.
 */
const firstClosing = ({ expiration }: Order): bigint =>
  secondsOf(expiration) - MAX_DEPOSIT_SECONDS + NULLIFIER_SECONDS

async function proveSettlement(context: Prover, order: Order, leafIndex: bigint): Promise<End> {
  const { programId } = context
  const { note } = decodeTicket(order.recovery)
  const nullifier = nullifierOf(noteHash, note.nk, leafIndex)
  const account = await nullifierAddress(programId, nullifier)
  const { clock, found } = await readWithClock(context, account, 'finalized')
  const at = shownNullifier(programId, found)?.settledAt
  const isClosed = at === undefined && clock >= firstClosing(order)
  if (at === undefined && !isClosed) return open(clock, true, 'the note is not settled')
  const proven = await provePayment(context, { nullifier, note, at })
  if (proven === undefined) {
    return isClosed
      ? { kind: 'closed' }
      : hidden(clock, true, 'the node does not show the settlement')
  }
  const { isRefund, settlement } = proven
  // A note can be delivered until its expiry, and refunded after its expiry (I5).
  const isConsistent = at === undefined || isRefund === at > note.expiry
  if (!isConsistent) return hidden(clock, true, 'nullifier and settlement contradict each other')
  return { kind: isRefund ? 'refunded' : 'delivered', settlement }
}

interface SoughtPayment {
  readonly nullifier: bigint
  /** The time of the settlement; undefined if the Nullifier account is closed. */
  readonly at: UnixSeconds | undefined
  readonly note: Note
}

/** Proves that a transaction settled the note, and how much it paid. Undefined if the node doesn't show both. */
async function provePayment(
  context: Prover,
  { nullifier, note, at }: SoughtPayment,
): Promise<{ isRefund: boolean; settlement: ProvenSettlement } | undefined> {
  const { rpc, programId } = context
  const found = await findSettlement(rpc, programId, nullifier, at, 'finalized')
  if (found === undefined) return undefined
  const { signature, slot, record, all, settlement: ours } = found
  const amount = await amountPaid(programId, record, all, ours, note)
  if (amount === undefined) return undefined
  const settlement = {
    signature,
    slot: `${slot}`,
    payee: ours.payee,
    assetId: note.mint,
    amount: `${amount}`,
  }
  return { isRefund: ours.isRefund, settlement }
}

/**
 * The payee and the amount that a settlement must pay for a note. A refund must return the note's whole value.
 * Undefined for a payment from a balance.
 */
function dueOf({ claim, sender, value }: Note, isRefund: boolean): Due | undefined {
  if (isRefund) return { payee: sender, payout: value }
  if (claim.kind !== 'transfer') return undefined
  return { payee: claim.recipient, payout: claim.amountOut }
}

interface Due {
  readonly payee: Address
  readonly payout: Amount
}

/**
 * The amount that the settlement paid. Undefined if the note must pay another payee, amount or asset, or if the
 * balances of the vault and of the payee's account contradict the payment.
 */
async function amountPaid(
  program: Address,
  record: TransactionRecord,
  all: readonly RanSettlement[],
  ours: RanSettlement,
  note: Note,
): Promise<Amount | undefined> {
  const due = dueOf(note, ours.isRefund)
  if (due === undefined) return undefined
  const payeeAccount =
    note.mint === NATIVE_MINT
      ? due.payee
      : await associatedTokenAddress(due.payee, note.mint, ours.tokenProgram)
  const isOurs =
    ours.payee === due.payee &&
    ours.payeeAccount === payeeAccount &&
    ours.payout === due.payout &&
    ours.asset === (await assetAddress(program, note.mint))
  if (!isOurs) return undefined
  const payouts = (isCounted: (one: RanSettlement) => boolean) =>
    sumOf(all.filter(isCounted).map(({ payout }) => payout))
  const gone = balanceChange(ours.vault, record)
  const come = balanceChange(payeeAccount, record)
  // The same transaction may also spend money of the payee, such as its fee, or pay into the vault. So it is enough if
  // one of the two accounts shows the payouts. If anyone hid them in both, the settlement itself counts, because the
  // program fails if it doesn't pay.
  const isShown =
    (gone !== undefined && -gone >= payouts(({ vault }) => vault === ours.vault)) ||
    (come !== undefined && come >= payouts((one) => one.payeeAccount === payeeAccount)) ||
    [ours.vault, payeeAccount].every((one) => isUsedBesidePayouts(one, program, record))
  return isShown ? due.payout : undefined
}
