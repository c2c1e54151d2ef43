import type { Clock } from '../../ports/clock.ts'
import type { SettlementLog } from '../../ports/settlement-log.ts'
import type { Lease, OpenOrder, PayStore } from '../../ports/settlement-store.ts'

/** Number of renewals within the length of a lease. Two of them may fail or be late before the lease ends. */
const RENEWALS = 4
/** Number of lease lengths for which work may go on. A step that hangs for longer must release its order. */
const LENGTHS_MAX = 20

interface KeepDependencies {
  readonly store: Pick<PayStore, 'tryRenew' | 'release'>
  readonly clock: Clock
  readonly log: SettlementLog
  readonly leaseMs: number
}

interface ClaimDependencies extends KeepDependencies {
  readonly store: Pick<PayStore, 'tryClaim' | 'tryRenew' | 'release'>
  /** Names this worker in leases. */
  readonly workerId: string
}

/**
 * Does some work on an order if this worker can claim it. Does nothing if another worker holds the order, or if the
 * order was resealed under another key since it was read. In the second case, data sealed by the work could never be
 * opened. It also does nothing if another worker has replaced the plan since then: the new plan may set a later time.
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
 * Does some work under a lease, which is renewed meanwhile and released at the end. Leases are short, so that the
 * orders of a killed worker are free within seconds. A proof may take longer than a lease. If a renewal comes too late,
 * the work isn't stopped, but the fence keeps it from writing.
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
  // Renewals are counted rather than timed, because a clock that jumps must neither end the work early nor let it go on
  // for ever.
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
