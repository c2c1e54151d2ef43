import { seeDeposit } from './look-at-chain.ts'
import { DisagreementError, optionsOf, type TransferContext } from './transfer-context.ts'
import type { Deposited, Done } from './transfer-state.ts'

/** Hints the deposit and follows the status to its end. */
export async function trackStep(context: TransferContext, state: Deposited): Promise<Done> {
  const { request, order, signature } = state
  const { trackingId } = order
  const { service, host, pollMs, signal } = context
  let status = await service.hintDeposit(trackingId, signature ?? undefined, optionsOf(context))
  while (!status.final) {
    await host.sleep(pollMs, signal)
    status = await service.status(trackingId, optionsOf(context))
  }
  const { senderAddress } = request
  switch (status.status) {
    case 'delivered':
    case 'refunded':
      return { step: 'done', request, result: { outcome: status.status, trackingId, status } }
    case 'expired': {
      // Whoever is told that nothing was paid may pay again.
      const seen = await seeDeposit(context, trackingId, senderAddress, 'finalized')
      if (seen === 'paid') {
        throw new DisagreementError(
          'the service calls an order expired whose deposit is on the chain',
        )
      }
      return { step: 'done', request, result: { outcome: 'expired', trackingId, status } }
    }
    case 'awaiting_deposit':
    case 'deposited':
    case 'delivering':
    case 'refunding':
      throw new DisagreementError(`the service calls ${status.status} final`)
  }
}
