import type { OrderStatusRecord } from '@sotto/contract'
import { secondsOf } from '../verify/expected-terms.ts'
import { DisagreementError, UnprovenError } from './errors.ts'
import { proveEnd, type End } from './prove-end.ts'
import { optionsOf, type TransferContext } from './transfer-context.ts'
import type { Deposited, Done } from './transfer-state.ts'

/**
 * The longest time, in milliseconds, for which the caller's own node may lag behind a service that reports a final
 * status. The node's transaction history may lag behind its accounts by the same time.
 */
const PATIENCE_MS = 120_000

/**
 * Reports the deposit to the service, and follows the order until the caller's own node proves how the order ended.
 * Each request to the node reveals the settlement in which the caller is interested. So the node is asked only if the
 * service reports a final status, if the service doesn't answer, or if the delivery is late. Only the node's answer
 * counts as a proof of the end.
 */
export async function trackStep(context: TransferContext, state: Deposited): Promise<Done> {
  const { host, pollMs, signal } = context
  const follow = follower(context, state)
  let claimedMs: number | undefined
  for (;;) {
    const heard = await follow()
    const { status } = heard
    const isLate = BigInt(Math.floor(host.nowMs() / 1_000)) > secondsOf(state.order.deliverBy)
    if (status === null || status.final || isLate) {
      const end = await proveEnd(context, state)
      const done = doneBy(end, state, status)
      if (done !== undefined) return done
      if (heard.status === null) throw heard.error
      const isHidden = end.kind === 'open' && end.needsHistory
      if (heard.status.final || isHidden) {
        claimedMs ??= host.nowMs()
        if (heard.status.final) assertPossible(heard.status, end)
        if (host.nowMs() - claimedMs > PATIENCE_MS) {
          throw new UnprovenError(heard.status.status, end.kind === 'open' ? end.missing : end.kind)
        }
      }
    }
    await host.sleep(pollMs, signal)
  }
}

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

/** The transfer's final state if the chain proves an end; undefined otherwise. */
function doneBy(
  end: End,
  { request, order: { trackingId } }: Deposited,
  status: OrderStatusRecord | null,
): Done | undefined {
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
    case 'open':
      return undefined
  }
}

/**
 * Checks that the status that the service reports as final is possible.
 * @throws DisagreementError if the chain contradicts that status, or if that status is never final.
 */
function assertPossible({ status }: OrderStatusRecord, end: End): void {
  const isPaid = end.kind === 'open' && end.isPaid
  if (status === 'expired' && isPaid) {
    throw new DisagreementError(
      'the service reports the order as expired, but its deposit is on the chain',
    )
  }
  if (status === 'expired' || status === 'delivered' || status === 'refunded') return
  throw new DisagreementError(`the service reports ${status} as final`)
}
