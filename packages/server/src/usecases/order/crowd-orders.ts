import type { CrowdWish } from '../../domain/crowd.ts'
import type { Account } from '../../ports/account-store.ts'
import { ServiceError } from '../service-error.ts'

/** A number of orders that refills evenly. */
export interface Allowance {
  /** Takes one order from the allowance of the account or network with this name. */
  readonly take: (name: string) => {
    readonly isAllowed: boolean
    /** Whole seconds until the next order is allowed; 0 if this order is allowed. */
    readonly retryAfterSeconds: number
  }
}

/**
 * Limits how many orders may ask for a crowd or the money back: those of an account, and those of a network on the send
 * page.
 */
export interface CrowdOrders {
  readonly ofAccounts: Allowance
  readonly ofNetworks: Allowance
}

/**
 * Counts an order that asks for a crowd or the money back. If its crowd doesn't come, the service pays for a refund and
 * earns no fee. Orders are counted instead of missed crowds, because no data of the service says whose crowd was
 * missed.
 *
 * @throws ServiceError RATE_LIMITED if the caller has made too many such orders.
 */
export function countCrowdOrder(
  { ofAccounts, ofNetworks }: CrowdOrders,
  { id, visitor }: Pick<Account, 'id' | 'visitor'>,
  crowd: CrowdWish | undefined,
): void {
  if (crowd?.missed !== 'refund') return
  // A network that has used up its own orders takes none from the other visitors.
  if (visitor !== undefined) refuse(ofNetworks.take(visitor))
  refuse(ofAccounts.take(id))
}

function refuse({ isAllowed, retryAfterSeconds }: ReturnType<Allowance['take']>): void {
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
}
