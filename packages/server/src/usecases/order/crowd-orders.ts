import type { CrowdWish } from '../../domain/crowd.ts'
import type { Account } from '../../ports/account-store.ts'
import { siteOf } from '../access/site-of.ts'
import { ServiceError } from '../service-error.ts'
import type { Allowance, GiveBack } from './allowance.ts'

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
 * @returns a function that puts back into the allowances what the order has taken.
 * @throws ServiceError RATE_LIMITED if the caller has made too many such orders.
 */
export function countCrowdOrder(
  { ofAccounts, ofNetworks }: CrowdOrders,
  { id, visitor }: Pick<Account, 'id' | 'visitor'>,
  crowd: CrowdWish | undefined,
): GiveBack {
  if (crowd?.missed !== 'refund') return () => undefined
  const site = visitor === undefined ? undefined : siteOf(visitor)
  // The network is checked first. A network whose own allowance is used up then takes nothing from the account's
  // allowance, which all visitors share.
  if (site !== undefined) refuse(ofNetworks.take(site))
  const giveBackOfNetwork = () => {
    if (site !== undefined) ofNetworks.giveBack(site)
  }
  const ofAccount = ofAccounts.take(id)
  if (!ofAccount.isAllowed) giveBackOfNetwork()
  refuse(ofAccount)
  return () => {
    giveBackOfNetwork()
    ofAccounts.giveBack(id)
  }
}

function refuse({ isAllowed, retryAfterSeconds }: ReturnType<Allowance['take']>): void {
  if (!isAllowed) throw new ServiceError('RATE_LIMITED', { retryAfterSeconds })
}
