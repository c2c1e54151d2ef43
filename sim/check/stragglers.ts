import type { OrderStatus } from '../../packages/server/src/domain/order-state.ts'
import type { UnixSeconds } from '@sotto/protocol'
import type { BalanceOwner } from '../actors/balance-owner.ts'
import type { World } from '../run/world.ts'

/** Keys of orders that may stay open for days. The value is the status in which the order waits. */
export type Stragglers = ReadonlyMap<string, OrderStatus>

/**
 * Returns the orders of two kinds that may stay open for days. Some orders can't be paid to anyone before an account is
 * repaired. Others belong to balances that end a day or more after their deposit.
 */
export function stragglersOf(world: World): Stragglers {
  const stragglers = new Map<string, OrderStatus>()
  for (const { isStuck, order } of world.customers) {
    if (isStuck && order !== undefined) stragglers.set(order.key, 'refunding')
  }
  for (const { order } of longBalances(world)) {
    if (order !== undefined) stragglers.set(order.key, 'deposited')
  }
  return stragglers
}

/**
 * Keys of payments that may stay open for a week: see `isLongDenied`. The final block shows that all of these conditions
 * are met: nothing has spent the payment's note, the payment's signature has expired, and after the note, the settlement
 * of another note has appended a leaf that equals the payment's change.
 */
export const heldPayments = ({ owners }: World): ReadonlySet<string> =>
  new Set(owners.flatMap(heldOf))

function heldOf(owner: BalanceOwner): string[] {
  const { chain } = owner.stage
  const newest = owner.newest('finalized')
  if (newest === undefined || newest.spentBy !== undefined) return []
  const { position, unixSeconds } = chain.blockAt('finalized')
  const later = chain.ledger.leaves.slice(newest.leafIndex + 1, chain.ledger.leavesAt(position))
  return owner.signed.flatMap(({ key, nullifier, validUntil, changeLeaf }) => {
    const isDead = nullifier === newest.nullifier && validUntil < unixSeconds
    const isHeld = isDead && later.some(({ leaf }) => leaf === changeLeaf)
    return key !== undefined && isHeld ? [key] : []
  })
}

/** The current end of a balance, which payments may have postponed; undefined before the balance's order. */
export const endOf = (owner: BalanceOwner): UnixSeconds | undefined =>
  owner.newest('finalized')?.note.expiry ?? owner.order?.note.expiry

/** The owners whose balance has a deposit, lives for a day or longer, and hasn't ended by the chain's clock. */
export function longBalances({ owners, chain: { ledger, newest } }: World): World['owners'] {
  return owners.filter((owner) => {
    const { isLong, order } = owner
    if (!isLong || order === undefined) return false
    const isPaid = ledger.orders.read(order.key, Infinity) !== undefined
    return isPaid && (endOf(owner) ?? 0n) >= newest.unixSeconds
  })
}
