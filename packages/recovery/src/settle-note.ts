import { nullifierOf, settleInputs, type Ticket } from '@sotto/protocol'
import type { Signature } from '@solana/kit'
import { assertAcceptedProgram } from './accepted-program.ts'
import { readSettlementTime } from './chain-time.ts'
import { findSettlement } from './find-settlement.ts'
import { landSettlement, type PreparedSettlement } from './land-settlement.ts'
import type { Landing } from './landing.ts'
import { againstLastingRoot } from './lasting-root.ts'
import { locateNote, type LocatedNote } from './locate-note.ts'
import { newestOfBalance } from './newest-of-balance.ts'
import { readChainClock, type RecoveryRpc } from './read-accounts.ts'
import { RecoveryError } from './recovery-error.ts'
import { sendSettlement } from './send-settlement.ts'
import { mayBeClosed, readSettledNote, settledBy } from './settled-note.ts'
import type { TicketUse } from './ticket-use.ts'

export interface SettleNoteRequest extends TicketUse {
  readonly kind: 'deliver' | 'refund'
}

/** @throws RecoveryError ALREADY_SETTLED, with the proven details, if the note is settled. */
async function assertUnsettled(rpc: RecoveryRpc, ticket: Ticket, nullifier: bigint): Promise<void> {
  const shown = await readSettledNote(rpc, ticket, nullifier)
  if (shown === undefined && !mayBeClosed(ticket.note, await readChainClock(rpc))) return
  // The error must say that the note was settled, even if the node no longer has the transaction.
  const found = await findSettlement(rpc, ticket.program, nullifier, shown?.atSeconds).catch(
    () => undefined,
  )
  const settled = shown ?? (found && settledBy(ticket, found))
  if (settled === undefined) return
  const message =
    settled.kind === 'paid'
      ? "a payment has been made from this balance since this ticket was issued: use a newer ticket, or a ticket with the owner's secret"
      : `this order was ${settled.kind} already: nothing is left to pay`
  throw new RecoveryError('ALREADY_SETTLED', message, { ...settled, signature: found?.signature })
}

/**
 * Delivers or refunds a note with only its ticket and an RPC endpoint. The money can go only to the recipient or the
 * sender to whom the deposit committed. A delivery's fee is the part of the note's value that the recipient doesn't
 * get. For a balance, this function can only make a refund, which returns the rest. Without the owner's secret, a
 * refund works only if the ticket's own note is unspent.
 *
 * @returns the signature, once the transaction is broadcast.
 * @throws RecoveryError ALREADY_SETTLED; TOO_EARLY, TOO_LATE or WINDOW_OVER; OTHER_KIND for a delivery of a balance;
 *   PROGRAM_UNKNOWN; the errors of `locateNote` and `newestOfBalance`; and the node's error if its simulation fails.
 */
export function settleNote(request: SettleNoteRequest): Promise<Signature> {
  return againstLastingRoot(request, async (one) => {
    const { settlement } = await prepareNote(one)
    return sendSettlement(settlement)
  })
}

/**
 * Delivers or refunds a note as `settleNote` does, and waits until the chain confirms it. If the settlement doesn't
 * land, the function sends it again, and later makes a new settlement with a higher fee: see `landSettlement`.
 *
 * @returns the signature of the settlement that landed.
 * @throws the errors of `settleNote`; LandingError.
 */
export const landNote = (request: SettleNoteRequest, landing?: Landing): Promise<Signature> =>
  landSettlement(request, prepareNote, landing)

async function prepareNote(request: SettleNoteRequest): Promise<PreparedSettlement<Signature>> {
  const { rpc, poseidon, kind, payer } = request
  if (kind === 'deliver' && request.ticket.note.claim.kind !== 'transfer') {
    const message = 'this is the ticket of a balance, and only a transfer can be delivered'
    throw new RecoveryError('OTHER_KIND', message)
  }
  await assertAcceptedProgram(rpc, request.ticket.program, request)
  const { ticket, position, root, chain } = await findUnsettled(request)
  const { note } = ticket
  const time = await readSettlementTime(kind, request, note.expiry)
  const inputs = settleInputs(poseidon, chain.domain, note, position, { kind, time })
  const payee =
    kind === 'deliver' && note.claim.kind === 'transfer' ? note.claim.recipient : note.sender
  const proof = await request.prove(inputs)
  const settlement = { rpc, payer, chain, mint: note.mint, root, payee, inputs, proof }
  return {
    settlement: { ...settlement, limits: request },
    resultOf: (signature) => signature,
  }
}

/**
 * Finds the note, and checks that it is unsettled. The time must be checked only after that. Otherwise an error could
 * ask a caller to wait although the payee was already paid.
 */
async function findUnsettled(
  request: SettleNoteRequest,
): Promise<LocatedNote & { readonly ticket: Ticket }> {
  const { rpc, poseidon, ticket } = request
  if (ticket.secret !== undefined) return newestOfBalance(request)
  const located = await locateNote(rpc, poseidon, ticket, request)
  const nullifier = nullifierOf(poseidon, ticket.note.nk, located.position.leafIndex)
  await assertUnsettled(rpc, ticket, nullifier)
  return { ...located, ticket }
}
