import type { CrowdWish } from '../../domain/crowd.ts'
import type { Account } from '../../ports/account-store.ts'
import { ServiceError } from '../service-error.ts'

/** An allowance of orders for each account or network. A used-up allowance refills evenly over time. */
export interface Allowance {
  /** Takes one order, or `count` units, from the allowance with this name. If less is left, it takes nothing. */
  readonly take: (
    name: string,
    count?: number,
  ) => {
    readonly isAllowed: boolean
    /** Whole seconds until the next order is allowed; 0 if this order is allowed. */
    readonly retryAfterSeconds: number
  }
}

/**
 * The limits on orders that must be refunded if their crowd isn't reached: one limit for each account, and one for each
 * network that uses the send page.
 */
export interface CrowdOrders {
  readonly ofAccounts: Allowance
  readonly ofNetworks: Allowance
}

/**
 * Counts an order that must be refunded if its crowd isn't reached. The service pays for the refund and earns no fee.
 * Orders are counted instead of missed crowds, because the service keeps no data that shows whose crowd was missed.
 *
 * @throws ServiceError RATE_LIMITED if the caller has made too many such orders.
 */
export function countCrowdOrder(
  { ofAccounts, ofNetworks }: CrowdOrders,
  { id, visitor }: Pick<Account, 'id' | 'visitor'>,
  crowd: CrowdWish | undefined,
): void {
  if (crowd?.missed !== 'refund') return
  // The network is checked first. A network whose own allowance is used up then takes nothing from the account's
  // allowance, which all visitors share.
  if (visitor !== undefined) refuse(ofNetworks.take(visitor))
  refuse(ofAccounts.take(id))
}

function refuse({ isAllowed, retryAfterSeconds }: ReturnType<Allowance['take']>): void {
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
}
