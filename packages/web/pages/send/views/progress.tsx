import type { OrderStatusRecord, Token } from '@sotto/sdk/server'
import { linkInWords, type TransferState } from '@sotto/sdk/wallet'
import { showAmount } from '../../look/amounts.ts'
import { showDay, showSeconds } from '../../look/durations.ts'
import type { PageConfig } from '../model/service.ts'
import { signatureOf } from '../model/transfer-run.ts'
import { ExplorerNote } from './explorer-note.tsx'
import { TicketButton } from './ticket-button.tsx'
import { Stages, type Stage } from './stages.tsx'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly step: TransferState['step']
  readonly state: TransferState
  readonly status: OrderStatusRecord | undefined
  readonly tokens: readonly Token[]
  readonly walletName: string
  readonly config: PageConfig
}

const STAGES: readonly Stage[] = [
  ['Signature', 'Signed'],
  ['Payment', 'Paid'],
  ['Waiting for its time', 'Its time has come'],
  ['Delivery', 'Delivered'],
]

/** The number of stages that are complete. */
function doneStages(step: TransferState['step'], status: OrderStatusRecord | undefined): number {
  if (step === 'signing' || step === 'refreshing' || step === 'unwinding') return 0
  if (step === 'submitting') return 1
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

function sentence(
  step: TransferState['step'],
  status: OrderStatusRecord | undefined,
  walletName: string,
): string {
  if (step === 'signing') return `Sign in ${walletName}.`
  if (step === 'refreshing') {
    return 'The transaction expired before it was sent. A new one for the same order is being made. Only one of them can ever be paid.'
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
    case 'awaiting_deposit':
    case 'awaiting_signature':
    case 'expired':
    case undefined:
      return 'The chain has your payment. It becomes final in about 15 seconds.'
  }
}

/** Shows a transfer in progress, from the signature until its end. */
export function Progress({ step, state, status, tokens, walletName, config }: Props) {
  if (!('order' in state)) return null
  const { order, request } = state
  const destination = tokens.find(({ assetId }) => assetId === request.destinationAssetId)
  const done = doneStages(step, status)
  const linked = status === undefined ? undefined : linkInWords(status)
  return (
    <div class="card narrow">
      <ViewHeading>
        {showAmount(order.amountOut, destination?.decimals ?? 0)} {order.destinationSymbol} on the
        way
      </ViewHeading>
      <p class="now" role="status">
        {sentence(step, status, walletName)}
      </p>
      <Stages stages={STAGES} done={done} />
      <p class="hint">
        You can close this page. The transfer goes on, and this browser shows it again when you come
        back. If the money isn’t delivered by {showDay(order.deliverBy)}, the service should send it
        back. If it doesn’t, you can get it back with the recovery ticket.
      </p>
      {linked !== undefined && (
        <p class="hint">Can a reader of the blockchain link it to your wallet? {linked}</p>
      )}
      <ExplorerNote {...{ config, signature: signatureOf(state) }} />
      <TicketButton trackingId={order.trackingId} ticket={order.recovery} isKept />
    </div>
  )
}
