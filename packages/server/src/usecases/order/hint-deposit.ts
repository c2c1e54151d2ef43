import type { StatusResponse } from '@sotto/contract'
import type { WorkHint } from '../../domain/work-hint.ts'
import { readStatus, type StatusDependencies } from '../status/read-status.ts'

export interface HintDependencies extends StatusDependencies {
  /** Makes settlement check the chain now instead of after its usual pause. Returns immediately. */
  readonly wake: (hint: WorkHint) => void
}

/**
 * Accepts a hint that a deposit was made. The hint only makes settlement check the chain sooner. Returns the current
 * status.
 *
 * @throws ServiceError ORDER_NOT_FOUND.
 */
export async function hintDeposit(
  d: HintDependencies,
  accountId: string,
  trackingId: string,
): Promise<StatusResponse> {
  const status = await readStatus(d, accountId, trackingId)
  d.wake('deposit')
  return status
}
