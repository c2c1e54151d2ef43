import type { Clock } from '../../ports/clock.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { Lease, OpenOrder, PayStore } from '../../ports/settlement-store.ts'

/**
 * Number of renewals within the duration of a lease. So two renewals in a row may fail or be late before the lease
 * ends.
 */
const RENEWALS = 4
/**
 * The longest time for which a lease is renewed, as a multiple of the lease's duration. After this time, an order
 * becomes free even if its work hangs.
 */
const LENGTHS_MAX = 20

interface KeepDependencies {
  readonly store: Pick<PayStore, 'tryRenew' | 'release'>
  readonly clock: Clock
  readonly log: SettlementLog
  readonly leaseMs: number
}

interface ClaimDependencies extends KeepDependencies {
  readonly store: Pick<PayStore, 'tryClaim' | 'tryRenew' | 'release'>
  /** The name of this worker in leases. */
  readonly workerId: string
}

/**
 * Works on an order if this worker can claim it. Does nothing if one of these has happened:
 *
 * - Another worker holds the order's lease.
 * - After the order was read, it was moved to another epoch's key. Data that this work sealed under the old key could
 *   never be opened.
 * - After the order was read, another worker replaced the plan. The new plan may set a later time.
 */
export async function underLease(
  d: ClaimDependencies,
  { orderId, epoch, sealedPlan }: Pick<OpenOrder, 'orderId' | 'epoch' | 'sealedPlan'>,
  work: (lease: Lease) => Promise<void>,
): Promise<void> {
  const nowMs = d.clock.nowMs()
  const lease = await d.store.tryClaim(orderId, d.workerId, nowMs, nowMs + d.leaseMs)
  if (lease === undefined) return
  const isCurrent = lease.epoch === epoch && Buffer.compare(lease.plan, sealedPlan) === 0
  if (!isCurrent) return d.store.release(lease)
  await keepLease(d, lease, () => work(lease))
}

/**
 * Works under a lease. The lease is renewed during the work and released at the end. Leases are short, so the orders of
 * a killed worker become free within seconds. A proof may take longer than a lease. If a renewal comes too late, the
 * work continues, but the store rejects its writes.
 */
export async function keepLease(
  d: KeepDependencies,
  lease: Lease,
  work: () => Promise<void>,
): Promise<void> {
  const done = new AbortController()
  const renewing = renew(d, lease, done.signal)
  try {
    await work()
  } finally {
    done.abort()
    await renewing
    await d.store.release(lease)
  }
}

async function renew(d: KeepDependencies, lease: Lease, signal: AbortSignal): Promise<void> {
  // Renewals are counted, not timed. So a clock that jumps can't stop the renewals too early or let them continue
  // forever.
  for (let count = 0; count < LENGTHS_MAX * RENEWALS; count += 1) {
    await d.clock.sleep(d.leaseMs / RENEWALS, signal)
    if (signal.aborted) return
    try {
      if (!(await d.store.tryRenew(lease, d.clock.nowMs() + d.leaseMs))) return
    } catch (error) {
      d.log.failed('renew_lease', error)
    }
  }
}
