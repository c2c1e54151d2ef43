import type { OrderStatusRecord, Token } from '@sotto/sdk/server'
import { linkInWords, type TransferState } from '@sotto/sdk/wallet'
import { showAmount } from '../../look/amounts.ts'
import { closingSentence, doneStages, isSeen, progressSentence } from '../model/progress-words.ts'
import type { PageConfig } from '../model/service.ts'
import { signatureOf } from '../model/transfer-run.ts'
import { ExplorerNote } from './explorer-note.tsx'
import { TicketButton } from './ticket-button.tsx'
import { Stages, type Stage } from './stages.tsx'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly state: TransferState
  readonly status: OrderStatusRecord | undefined
  readonly tokens: readonly Token[]
  readonly walletName: string
  readonly config: PageConfig
}

const STAGES: readonly Stage[] = [
  ['Signature', 'Signed'],
  ['Payment', 'Paid'],
  ['Waiting for the delivery time', 'Delivery time reached'],
  ['Delivery', 'Delivered'],
]

/** Shows a transfer in progress, from the signature until its end. */
export function Progress({ state, status, tokens, walletName, config }: Props) {
  if (!('order' in state)) return null
  const { order, request } = state
  const destination = tokens.find(({ assetId }) => assetId === request.destinationAssetId)
  const done = doneStages(state, status)
  const linked = status === undefined ? undefined : linkInWords(status)
  return (
    <div class="card narrow">
      <ViewHeading>
        {destination === undefined
          ? 'Your transfer'
          : `${showAmount(order.amountOut, destination.decimals)} ${destination.symbol}`}
        {isSeen(state, status) ? ' on the way' : ''}
      </ViewHeading>
      <p class="now" role="status">
        {progressSentence(state, status, walletName)}
      </p>
      <Stages stages={STAGES} done={done} />
      <p class="hint">{closingSentence(state, status)}</p>
      {linked !== undefined && (
        <p class="hint">
          Can a reader of the blockchain link this transfer to your wallet? {linked}
        </p>
      )}
      <ExplorerNote {...{ config, signature: signatureOf(state) }} />
      <TicketButton trackingId={order.trackingId} ticket={order.recovery} isKept />
    </div>
  )
}
