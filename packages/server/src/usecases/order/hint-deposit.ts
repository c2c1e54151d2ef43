import type { StatusResponse } from '@sotto/contract'
import { readStatus, type StatusDependencies } from '../status/read-status.ts'

export interface HintDependencies extends StatusDependencies {
  /** Makes settlement check the chain now instead of after the usual pause; returns immediately. */
  readonly wake: () => void
}

/**
 * Takes a hint that a deposit was made. The hint decides nothing: it only makes settlement check the chain, and the
 * answer is the current status.
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
