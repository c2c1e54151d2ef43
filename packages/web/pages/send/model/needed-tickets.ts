import {
  OrderRefusedError,
  type TicketStore,
  type TransferResult,
  type TransferState,
} from '@sotto/sdk/wallet'

/** True if the ticket isn't needed any more, because the chain has shown how the transfer ended. */
export function isTicketDone(result: TransferResult): boolean {
  // After these outcomes, the ticket is still needed to find out from a node with full history how the order ended.
  if (result.outcome === 'paid' || result.outcome === 'closed') return false
  // For `known_order`, the order and its ticket belong to another transfer, so keep the ticket.
  return result.outcome !== 'not_paid' || result.code !== 'known_order'
}

/**
 * Removes the ticket of an order for which the wallet was certainly never asked, because the page never continues such
 * an order. The ticket stays if another transfer may have paid the order, because the ticket may then be the only way
 * to get the money back.
 */
export async function dropUnsigned(
  tickets: TicketStore,
  state: TransferState | undefined,
  error: unknown,
): Promise<void> {
  if (state?.step !== 'ordered' || isKnownOrder(error)) return
  const { order, transferId } = state
  if ((await tickets.read(order.trackingId)) === undefined) return
  try {
    // This fails if the store has another ticket for the order, or if another transfer saved the ticket.
    await tickets.save(order.trackingId, order.recovery, transferId)
  } catch {
    return
  }
  await tickets.remove(order.trackingId)
}

const isKnownOrder = (error: unknown): boolean =>
  error instanceof OrderRefusedError && error.refusals.some(({ code }) => code === 'known_order')
