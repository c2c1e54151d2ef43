import { packOwner, type Ticket } from '@sotto/protocol'
import { hexOf } from '../../domain/hex.ts'
import { decodePlan, decodeTerms } from '../../domain/order-secrets.ts'
import type { OrderStore, StoredOrder } from '../../ports/order-store.ts'
import type { EpochSecrets, Secrets } from '../../ports/secrets.ts'

export interface SpentNoteDependencies {
  readonly orders: Pick<OrderStore, 'readOrder'>
  readonly secrets: Pick<Secrets, 'read'>
}

/**
 * True if the service knows that a ticket's note is spent, because the service has a later note of the same balance.
 * The service doesn't know about notes that owners spent without the service. A payment out of such a note expires
 * unpaid.
 */
export async function isSpentNote(
  d: SpentNoteDependencies,
  accountId: string,
  ticket: Ticket,
  leafIndex: number,
): Promise<boolean> {
  const found = await d.orders.readOrder(accountId, ticket.orderId)
  if (found === undefined) return false
  const { order } = found
  // If the order can't be read or decrypted, the payment continues. The chain refuses to spend a note twice.
  try {
    const secrets = await d.secrets.read(order.epoch)
    return secrets !== undefined && keepsLater(order, secrets, ticket, leafIndex)
  } catch {
    return false
  }
}

/** True if the order belongs to the ticket's balance, and the order's plan contains a later note. */
function keepsLater(
  order: StoredOrder,
  secrets: EpochSecrets,
  ticket: Ticket,
  leafIndex: number,
): boolean {
  if (!isOf(order, secrets, ticket)) return false
  if (order.sealedPlan === undefined || order.sealedPlan.length === 0) return false
  const { note } = decodePlan(secrets.open(order.id, 'plan', order.sealedPlan))
  return note !== undefined && note.leafIndex > leafIndex
}

/**
 * True if the order's deposit opened the balance of the ticket. This must be checked, because an owner can put the id
 * of any order into a ticket.
 */
function isOf(order: StoredOrder, secrets: EpochSecrets, { note }: Ticket): boolean {
  const { claim, sender, mint, deadline, expiry } = note
  if (claim.kind !== 'balance' || order.sealedTerms.length === 0) return false
  if (order.sender !== sender || order.destinationMint !== mint) return false
  // Each payment postpones deadline and expiry by the same amount.
  if (deadline < order.deadline || expiry - deadline !== order.expiry - order.deadline) return false
  const { owner } = decodeTerms(secrets.open(order.id, 'terms', order.sealedTerms))
  return owner === hexOf(packOwner(claim.owner))
}
