import {
  changeOf,
  changeOfShown,
  leafOfNote,
  nullifierOf,
  type Address,
  type Poseidon,
  type ShownPayment,
  type Ticket,
  sumOf,
  without,
  type Amount,
  type UnixSeconds,
} from '@sotto/protocol'
import { clockDiffers, isPlausible } from './chain-time.ts'
import { findSettlement, type FoundSettlement } from './find-settlement.ts'
import { locateNote, type LocatedNote, type LocateOptions } from './locate-note.ts'
import { readChainClock } from './read-accounts.ts'
import { RecoveryError, type PaidBefore } from './recovery-error.ts'
import { mayBeClosed, readSettledNote, settledBy, type SettledNote } from './settled-note.ts'
import type { TicketOnChain } from './ticket-use.ts'

export interface MadePayment extends PaidBefore {
  /** The nullifier of the note that the payment spent. */
  readonly nullifier: bigint
  readonly payee: Address
  /** In base units. */
  readonly payout: Amount
}

export interface NewestNote extends LocatedNote {
  readonly ticket: Ticket
  readonly nullifier: bigint
  /** The payments that the balance has made since the given ticket's note, oldest first. */
  readonly payments: readonly MadePayment[]
}

/**
 * The secret of a balance's owner. @throws RecoveryError OTHER_KIND for a transfer's ticket, and for a balance's
 * ticket without the secret.
 */
export function secretOf({ note, secret }: Ticket): bigint {
  if (secret !== undefined) return secret
  const message =
    note.claim.kind === 'transfer'
      ? "this is the ticket of a transfer, which only pays its recipient: use 'deliver'"
      : "this ticket lacks the owner's secret, so it allows only a refund after the balance's expiry"
  throw new RecoveryError('OTHER_KIND', message)
}

/** The nullifier of the note that a payment spends, and the amount that leaves the balance. */
export interface SpentBy {
  readonly nullifier: bigint
  /** The sum of payout and fee. */
  readonly spent: Amount
}

const leftBy = (ticket: Ticket, { nullifier, spent }: SpentBy) => ({
  ...{ nullifier, secret: secretOf(ticket), change: without(ticket.note.value, spent) },
})

/** The ticket of a payment's change note. The payment's signature is valid until `validUntil`. */
export function ticketAfter(
  poseidon: Poseidon,
  ticket: Ticket,
  payment: SpentBy & { readonly validUntil: UnixSeconds },
): Ticket {
  const left = { ...leftBy(ticket, payment), validUntil: payment.validUntil }
  return { ...ticket, note: changeOf(poseidon, ticket.note, left) }
}

/**
 * The ticket of the change note of a payment that the chain shows. `domain` is the pool's domain.
 *
 * @throws RecoveryError CHANGE_DIFFERS if the note derived from this ticket's secret doesn't have the leaf that the
 *   chain shows.
 */
export function ticketAfterShown(
  poseidon: Poseidon,
  domain: Uint8Array,
  ticket: Ticket,
  payment: SpentBy & ShownPayment,
): Ticket {
  const note = changeOfShown(poseidon, domain, ticket.note, leftBy(ticket, payment), payment)
  if (leafOfNote(poseidon, domain, note) === payment.changeLeaf) return { ...ticket, note }
  throw new RecoveryError(
    'CHANGE_DIFFERS',
    'the endpoint shows a payment from this balance, but its change does not match the ticket',
  )
}

/** How a note was settled, and the transaction that settled it. `settled` is undefined if the note isn't settled. */
interface NoteEnd {
  readonly settled?: SettledNote
  readonly found?: FoundSettlement | undefined
}

/** The end of the note of `ticket`, which is any ticket of the balance. */
async function readEnd(
  { rpc, isLocalChain }: TicketOnChain,
  ticket: Ticket,
  nullifier: bigint,
): Promise<NoteEnd> {
  const { program, note } = ticket
  const settled = await readSettledNote(rpc, ticket, nullifier)
  if (settled !== undefined) {
    return { settled, found: await findSettlement(rpc, program, nullifier, settled.atSeconds) }
  }
  const clock = await readChainClock(rpc)
  if (!mayBeClosed(note, clock)) return {}
  const found = await findSettlement(rpc, program, nullifier, undefined)
  if (found !== undefined) return { settled: settledBy(ticket, found), found }
  if (!isPlausible(clock, isLocalChain)) throw clockDiffers(clock)
  throw new RecoveryError(
    'HISTORY_MISSING',
    'this note of the balance cannot be settled any more, and the endpoint does not show whether a payment spent it',
  )
}

/**
 * Starts at the note of any ticket of a balance, and follows the balance's payments to the note that isn't spent yet.
 * The chain shows the amount that each payment took out of the balance. From this amount and the owner's secret, the
 * function computes the change note. If the Nullifier account of an old payment was closed, the payment's transaction
 * still shows the payment.
 *
 * @throws RecoveryError ALREADY_SETTLED if the balance was refunded or is empty; HISTORY_MISSING if the endpoint no
 *   longer has a payment, doesn't show whether a payment was made, or shows a tree without a payment's change;
 *   CLOCK_DIFFERS if the note seems too old only by a clock that isn't believed; CHANGE_DIFFERS if the endpoint shows a
 *   payment that doesn't match the ticket; and the errors of `locateNote`.
 */
export async function newestOfBalance(use: TicketOnChain): Promise<NewestNote> {
  const { rpc, poseidon } = use
  let { ticket } = use
  secretOf(ticket)
  const payments: MadePayment[] = []
  for (
    let options: LocateOptions = use;
    ;
    options = { ...use, position: undefined, isAppended: true }
  ) {
    const located = await locateNote(rpc, poseidon, ticket, options)
    const nullifier = nullifierOf(poseidon, ticket.note.nk, located.position.leafIndex)
    const { settled, found } = await readEnd(use, ticket, nullifier)
    if (settled === undefined) return { ...located, ticket, nullifier, payments }
    const signature = found?.signature
    if (settled.kind !== 'paid') {
      const message = 'this balance was refunded already: nothing is left to pay'
      throw new RecoveryError('ALREADY_SETTLED', message, { ...settled, signature })
    }
    if (found === undefined) {
      const message = 'the endpoint no longer has a payment out of this balance'
      throw new RecoveryError('HISTORY_MISSING', message)
    }
    const { payout, fee, payee, time, changeLeaf } = found.settlement
    payments.push({ ...settled, nullifier, payee, payout, signature })
    const spent = sumOf([payout, fee])
    const shown = { nullifier, spent, time, changeLeaf }
    ticket = ticketAfterShown(poseidon, located.chain.domain, ticket, shown)
    if (ticket.note.value === 0n) {
      const message = 'this balance is spent: nothing is left to pay'
      throw new RecoveryError('ALREADY_SETTLED', message, { ...settled, payee, signature })
    }
  }
}
