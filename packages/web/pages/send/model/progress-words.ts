import type { OrderStatusRecord } from '@sotto/sdk/server'
import type { TransferState } from '@sotto/sdk/wallet'
import { showDay, showSeconds } from '../../look/durations.ts'
import type { OrderedState } from './saved-transfer.ts'

/** The number of stages that are complete. */
export function doneStages(state: TransferState, status: OrderStatusRecord | undefined): number {
  const { step } = state
  if (step === 'signing' || step === 'refreshing' || step === 'unwinding') return 0
  if (step === 'submitting') return 1
  if (!isSeen(state, status)) return 0
  switch (status?.status) {
    case 'delivered':
      return 4
    case 'delivering':
    case 'refunding':
    case 'refunded':
      return 3
    case 'deposited':
      return 2
    case 'awaiting_deposit':
    case 'awaiting_signature':
    case 'expired':
    case undefined:
      return 1
  }
}

const PAID: ReadonlySet<string | undefined> = new Set<OrderStatusRecord['status']>([
  'deposited',
  'delivering',
  'delivered',
  'refunding',
  'refunded',
])

/**
 * False if neither the chain nor the service has shown the payment. This happens if the deposit was not seen until a
 * day after the order's deadline.
 */
export const isSeen = (state: TransferState, status: OrderStatusRecord | undefined): boolean =>
  state.step !== 'deposited' || state.leafIndex !== null || PAID.has(status?.status)

/** The state of a transfer in progress, in words for people. */
export function progressSentence(
  state: TransferState,
  status: OrderStatusRecord | undefined,
  walletName: string,
): string {
  const { step } = state
  if (step === 'signing') return `Sign in ${walletName}.`
  if (step === 'refreshing') {
    return 'The transaction expired before the chain carried it out. A new transaction for the same order is being made. Only one of the two transactions can ever pay.'
  }
  if (step === 'unwinding') {
    return 'The order has ended. Waiting until none of its transactions can be carried out any more.'
  }
  if (step === 'submitting') return 'Sending your signed transaction to the chain.'
  switch (status?.status) {
    case 'deposited':
      return `Paid. The money leaves at a random moment, within about ${showSeconds(status.eta)}.`
    case 'delivering':
      return 'On its way to the recipient.'
    case 'refunding':
      return 'It could not be delivered in time. The money is on its way back to your wallet.'
    case 'delivered':
      return 'Delivered. Checking it on the chain.'
    case 'refunded':
      return 'The money is back in your wallet. Checking it on the chain.'
    case 'expired':
      return 'The service reports that the order ended without a payment. Checking it on the chain.'
    case 'awaiting_deposit':
    case 'awaiting_signature':
    case undefined:
      if (!isSeen(state, status)) return 'Checking on the chain whether this transfer was paid.'
      return 'The chain has your payment. It becomes final in about 15 seconds.'
  }
}

/**
 * Says what happens if the person closes the page. The transfer goes on without the page only once the chain has the
 * payment: before that, only this page asks the wallet and sends the transaction.
 */
export function closingSentence(
  state: OrderedState,
  status: OrderStatusRecord | undefined,
): string {
  if (state.step === 'deposited' && isSeen(state, status)) {
    return `You can close this page. The transfer goes on, and this browser shows it again when you come back. If the money isn’t delivered by ${showDay(state.order.deliverBy)}, the service should send it back. If it doesn’t, you can get the money back with the recovery ticket.`
  }
  return 'Keep this page open until it says that the chain has your payment. If you close the page before that, the transfer may not be paid. Then open the page again in this browser: it asks the chain first, and continues this transfer. The order can be paid only once.'
}
