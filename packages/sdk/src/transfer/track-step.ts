import type { OrderStatusRecord } from '@sotto/contract'
import { lastRefundClock } from '@sotto/protocol'
import { isoOfSeconds } from '../host/iso-time.ts'
import { secondsOf } from '../verify/expected-terms.ts'
import { DisagreementError, OverdueError, UnprovenError } from './errors.ts'
import { proveEnd, type End } from './prove-end.ts'
import { readClock } from './read-deposit.ts'
import { optionsOf, type TransferContext } from './transfer-context.ts'
import type { Deposited, Done } from './transfer-state.ts'

/**
 * The longest time, in milliseconds, for which the caller's own node may lag behind a service that reports a final
 * status. The node's transaction history may lag behind its accounts by the same time. A run that begins when the money
 * is already overdue waits for the same time, because the service may have been down.
 */
const PATIENCE_MS = 120_000
/** Seconds that the service gets after `deliverBy` for its own refund. */
const REFUND_SECONDS = 3_600n
/** Milliseconds that the service gets for its final status, once the chain has proven the end. */
const REASON_MS = 30_000
/** The time between two requests for the chain's clock, in milliseconds of the machine's clock. */
const CLOCK_MS = 60_000

/**
 * Reports the deposit to the service, and follows the order until the caller's own node proves how the order ended.
 * Each request to the node for the nullifier reveals which settlement the caller follows. So the step asks for the
 * nullifier only if the service reports a final status, if the service doesn't answer, or if the delivery is late. Only
 * the node's answer counts as a proof of the end.
 */
export async function trackStep(context: TransferContext, state: Deposited): Promise<Done> {
  const { host, pollMs, signal } = context
  const follow = follower(context, state)
  const isLate = lateness(context, state)
  let claimedMs: number | undefined
  for (;;) {
    const heard = await follow()
    const { status } = heard
    if (status === null || status.final || (await isLate())) {
      const end = await proveEnd(context, state)
      if (end.kind !== 'open') return doneBy(end, state, await finalStatus(context, follow, status))
      const overdue = overdueError(end, state)
      if (heard.status === null) throw overdue ?? heard.error
      if (heard.status.final || end.needsHistory || overdue !== undefined) {
        claimedMs ??= host.nowMs()
        if (heard.status.final) assertPossible(heard.status, end)
        if (host.nowMs() - claimedMs > PATIENCE_MS) {
          if (overdue !== undefined) throw overdue
          throw new UnprovenError(heard.status.status, end.missing)
        }
      }
    }
    await host.sleep(pollMs, signal)
  }
}

/**
 * Returns a function that says whether `deliverBy` has passed, by the machine's clock or by the chain's clock. A
 * machine's clock that is behind would otherwise hide that the money is overdue.
 */
function lateness(context: TransferContext, { order }: Deposited): () => Promise<boolean> {
  const { host, rpc, signal } = context
  const due = secondsOf(order.deliverBy)
  let isLate = false
  let readMs = -Infinity
  return async () => {
    const nowMs = host.nowMs()
    isLate ||= BigInt(Math.floor(nowMs / 1_000)) > due
    if (isLate || Math.abs(nowMs - readMs) < CLOCK_MS) return isLate
    readMs = nowMs
    try {
      isLate = (await readClock(rpc)) > due
    } catch {
      // The node may be unreachable for a moment. The service still answers, so the transfer goes on.
      signal?.throwIfAborted()
    }
    return isLate
  }
}

/** The error for money that is neither delivered nor refunded long after `deliverBy`; undefined otherwise. */
function overdueError(end: Open, { order }: Deposited): OverdueError | undefined {
  if (!end.isPaid || end.needsHistory) return undefined
  const due = secondsOf(order.deliverBy)
  if (end.clock <= due + REFUND_SECONDS) return undefined
  const last = lastRefundClock(due)
  const { trackingId, deliverBy } = order
  return new OverdueError(trackingId, deliverBy, isoOfSeconds(last), end.clock <= last)
}

type Open = Extract<End, { readonly kind: 'open' }>
type Ended = Exclude<End, Open>

type Heard =
  | { readonly status: OrderStatusRecord }
  /** The service did not answer. The chain may nevertheless show how the order ended. */
  | { readonly status: null; readonly error: unknown }

/** Returns a function that asks the service for the order's status. Its first request also reports the deposit. */
function follower(context: TransferContext, { order, signature }: Deposited): () => Promise<Heard> {
  const { service, signal } = context
  const { trackingId } = order
  let isHinted = false
  return async () => {
    try {
      const options = optionsOf(context)
      const status = isHinted
        ? await service.status(trackingId, options)
        : await service.hintDeposit(trackingId, signature ?? undefined, options)
      isHinted = true
      return { status }
    } catch (error) {
      signal?.throwIfAborted()
      return { status: null, error }
    }
  }
}

/**
 * Returns the service's final status. The step waits for it after the chain has proven the end, because only that
 * status says why an order was refunded. If no final status comes within `REASON_MS`, returns the last status.
 */
async function finalStatus(
  { host, pollMs, signal }: TransferContext,
  follow: () => Promise<Heard>,
  status: OrderStatusRecord | null,
): Promise<OrderStatusRecord | null> {
  const provenMs = host.nowMs()
  let last = status
  while (last?.final === false && host.nowMs() - provenMs < REASON_MS) {
    await host.sleep(pollMs, signal)
    last = (await follow()).status ?? last
  }
  return last
}

/** The transfer's final state. */
function doneBy(
  end: Ended,
  { request, order: { trackingId } }: Deposited,
  status: OrderStatusRecord | null,
): Done {
  switch (end.kind) {
    case 'delivered':
    case 'refunded': {
      const { kind: outcome, settlement } = end
      return { step: 'done', request, result: { outcome, trackingId, settlement, status } }
    }
    case 'expired':
      return { step: 'done', request, result: { outcome: 'expired', trackingId, status } }
    case 'closed':
      return { step: 'done', request, result: { outcome: 'closed', trackingId } }
  }
}

/**
 * Checks that the status that the service reports as final is possible.
 * @throws DisagreementError if the chain contradicts that status, or if that status is never final.
 */
function assertPossible({ status }: OrderStatusRecord, { isPaid }: Open): void {
  if (status === 'expired' && isPaid) {
    throw new DisagreementError(
      'the service reports the order as expired, but its deposit is on the chain',
    )
  }
  if (status === 'expired' || status === 'delivered' || status === 'refunded') return
  throw new DisagreementError(`the service reports ${status} as final`)
}
