import type { StatusResponse } from '@sotto/contract'
import { readStatus, type StatusDependencies } from '../status/read-status.ts'

export interface HintDependencies extends StatusDependencies {
  /** Has the chain looked at now instead of after the usual pause; returns at once. */
  readonly wake: () => void
}

/**
 * Takes a hint that a deposit was made. It decides nothing: the chain is looked at, and the answer is
 * the status as it stands.
 *
 * @throws ServiceError ORDER_NOT_FOUND.
 */
export async function hintDeposit(
  d: HintDependencies,
  accountId: string,
  trackingId: string,
): Promise<StatusResponse> {
  const status = await readStatus(d, accountId, trackingId)
  d.wake()
  return status
}
