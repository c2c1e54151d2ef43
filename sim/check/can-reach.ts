import { canBecome, type OrderStatus } from '../../packages/server/src/domain/order-state.ts'

/** True if the state machine allows an order to get from one status to another, in any number of steps. */
export function canReach(from: OrderStatus, to: OrderStatus): boolean {
  const nexts = (['deposited', 'delivering', 'refunding', to] as const).filter(
    (next) => next !== from && canBecome(from, next),
  )
  return nexts.includes(to) || nexts.some((next) => next !== to && canReach(next, to))
}
