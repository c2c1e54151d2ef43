import { refuse } from '../verify/refusal.ts'
import { TicketHeldError, type TicketStore } from './ticket-store.ts'

/**
 * Saves an order's ticket before anything may be signed. A service could answer with the id of an earlier order and
 * with a new ticket. The earlier order may be paid, and then its ticket is the only way to get the money back without
 * the service. So an id's ticket is never replaced by another ticket, even in a store that would allow this.
 *
 * @throws OrderRefusedError `known_order` if the store has another ticket for the order, or if another transfer saved
 *   the order's ticket.
 */
export async function keepTicket(
  tickets: TicketStore,
  { trackingId, recovery }: { readonly trackingId: string; readonly recovery: string },
  transferId?: string,
): Promise<void> {
  if (((await tickets.read(trackingId)) ?? recovery) !== recovery) return refuseKnown()
  try {
    await tickets.save(trackingId, recovery, transferId)
  } catch (error) {
    if (error instanceof TicketHeldError) return refuseKnown(error)
    throw error
  }
}

/** Refuses an order that isn't new. Such an order belongs to another transfer. */
export function refuseKnown(cause?: unknown): never {
  return refuse('known_order', 'the service answered with the order of another transfer', cause)
}
