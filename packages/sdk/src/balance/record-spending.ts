import { amount, encodeTicket, leafOfNote, sumOf, unixSeconds, type Ticket } from '@sotto/protocol'
import { readFixedPool, RecoveryError, ticketAfter, ticketAfterShown } from '@sotto/recovery'
import { DisagreementError } from '../transfer/errors.ts'
import type { ChainContext } from './balance-context.ts'
import { balanceHash } from './balance-hash.ts'
import type { BalanceRecord, SavedBalance, SignedPayment } from './balance-state.ts'
import { secondsIn } from './check-payment.ts'
import { leafIndexOf, type OwnNote, type SpentNote } from './own-note.ts'
import { withLapsed, withUnrecorded } from './unrecorded.ts'

/**
 * Saves in one write which payment spent the balance's newest note, and which note that payment left. A signed payment
 * always spends the newest note, so the same write ends it: as paid if the chain shows it, and otherwise it is dropped.
 * @param found the payment that the node shows; undefined if the node no longer has the transaction
 * @throws DisagreementError if the node doesn't show how the note was spent, or shows another payee or amount for a
 *   payment that left the signed change; RecoveryError CHANGE_DIFFERS if the change note doesn't belong to this
 *   balance. After an error, nothing is saved.
 */
export async function recordSpending(
  context: ChainContext,
  record: BalanceRecord,
  note: OwnNote,
  found: SpentNote | undefined,
): Promise<void> {
  const [key, signed] = record.signed ?? []
  if (key !== undefined && signed !== undefined) {
    const paid = await stateIfPaid(context, note, signed, found)
    if (paid !== undefined) return record.savePayment(key, paid.payment, paid.state)
  }
  if (found === undefined) throw hiddenSpending()
  const shown = await stateAfterShown(context, note, found)
  const state = { ...shown, ...withUnrecorded(record, found) }
  await (key === undefined ? record.save(state) : record.savePayment(key, undefined, state))
}

/**
 * Ends a signed payment whose note isn't the newest any more. Earlier versions of the SDK saved the payments that the
 * chain showed, and the note that they left, without ending the signed payment. One of these payments spent the note of
 * the signed payment. When the payment was signed, no payment like it was unrecorded. So if an equal one is unrecorded
 * now, it is the signed payment. If there is none, a person may have deleted it, so no other balance may make the
 * payment.
 */
export function recordMoved(
  record: BalanceRecord,
  key: string,
  { request, trackingId, terms }: SignedPayment,
): Promise<void> {
  const { unrecorded = [] } = record.state
  const made = unrecorded.find(({ to, payout }) => to === terms.payee && payout === terms.payout)
  if (made === undefined) return record.savePayment(key, undefined, withLapsed(record, key))
  const { signature } = made
  const paid = { trackingId, payout: terms.payout, fee: terms.fee, signature }
  const others = unrecorded.filter((one) => one !== made)
  return record.savePayment(key, { step: 'paid', request, paid }, { unrecorded: others })
}

const hiddenSpending = () =>
  new DisagreementError(
    'the balance was spent, and your node does not show by which transaction: use a node with more history',
  )

/** What to save if the signed payment spent the note; undefined if another payment spent it. */
async function stateIfPaid(
  context: ChainContext,
  note: OwnNote,
  { request, trackingId, terms }: SignedPayment,
  found: SpentNote | undefined,
) {
  const [payout, fee] = [amount(BigInt(terms.payout)), amount(BigInt(terms.fee))]
  const validUntil = unixSeconds(secondsIn(terms.validUntil))
  const own = { nullifier: note.nullifier, spent: sumOf([payout, fee]), validUntil }
  const after = ticketAfter(balanceHash, note.ticket, own)
  const isOurChange =
    found === undefined
      ? await isInTree(context, after)
      : (await leafOf(context, after)) === found.changeLeaf
  const isOurs =
    found === undefined
      ? isOurChange
      : found.payee === terms.payee && found.payout === payout && found.fee === fee
  if (!isOurs && isOurChange) throw otherwiseShown()
  if (!isOurs) return undefined
  const signature = found?.signature ?? null
  const paid = { trackingId, payout: terms.payout, fee: terms.fee, signature }
  // If the change differs, another holder of the secret signed an equal payment whose validity ended on another day.
  const state =
    found === undefined || isOurChange
      ? { ticket: encodeTicket(after), leafIndex: null }
      : await stateAfterShown(context, note, found)
  return { payment: { step: 'paid', request, paid } as const, state }
}

/**
 * The error if the node shows a payment that left exactly the change of the signed payment, but has another payee or
 * amount. Most likely the shown payment is the signed one, and the node lies so that the owner pays twice. Otherwise
 * another holder of the secret paid the same total on the same day. So the signed payment stays saved.
 */
const otherwiseShown = () =>
  new DisagreementError(
    'a payment left the change that you signed, but your node shows another payee or amount: use another node. ' +
      'If that node shows the same, another holder of the secret made that payment: restore the balance from its ' +
      'ticket in a new store',
  )

/**
 * The members of the balance's state that change if the chain shows a payment that spent this note.
 * @throws RecoveryError CHANGE_DIFFERS if the note derived from the secret doesn't have the leaf that the chain
 *   shows.
 */
async function stateAfterShown(
  { rpc }: ChainContext,
  { ticket, nullifier }: OwnNote,
  { payout, fee, time, changeLeaf }: SpentNote,
): Promise<Pick<SavedBalance, 'ticket' | 'leafIndex'>> {
  const { domain } = await readFixedPool(rpc, ticket.program)
  const shown = { nullifier, spent: sumOf([payout, fee]), time, changeLeaf }
  const after = ticketAfterShown(balanceHash, domain, ticket, shown)
  return { ticket: encodeTicket(after), leafIndex: null }
}

async function leafOf({ rpc }: ChainContext, { program, note }: Ticket): Promise<bigint> {
  return leafOfNote(balanceHash, (await readFixedPool(rpc, program)).domain, note)
}

/**
 * True if the tree contains the change note that this payment leaves. That note's `nk` is derived from the secret, so
 * only a holder of the secret can have made the note.
 */
async function isInTree(context: ChainContext, left: Ticket): Promise<boolean> {
  try {
    await leafIndexOf(context, left)
    return true
  } catch (error) {
    const isAbsent = error instanceof RecoveryError && error.code !== 'HISTORY_MISSING'
    if (isAbsent) return false
    throw error
  }
}
