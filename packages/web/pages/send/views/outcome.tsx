import type { OrderStatusRecord, Token } from '@sotto/sdk/server'
import type { TransferResult, TransferState } from '@sotto/sdk/wallet'
import { showAmount } from '../../look/amounts.ts'
import { showTime } from '../../look/durations.ts'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly result: TransferResult
  readonly state: TransferState
  readonly tokens: readonly Token[]
  readonly again: () => void
}

/** How it ended, for each way in which it can. */
export function Outcome({ result, state, tokens, again }: Props) {
  return (
    <div class="card narrow">
      <End {...{ result, state, tokens }} />
      <button type="button" class="first" onClick={again}>
        Make another transfer
      </button>
    </div>
  )
}

function End({ result, tokens, state }: Omit<Props, 'again'>) {
  switch (result.outcome) {
    case 'delivered':
      return <Delivered {...{ status: result.status, tokens, state }} />
    case 'refunded':
      return <Refunded status={result.status} tokens={tokens} />
    case 'expired':
    case 'not_paid':
      return (
        <>
          <ViewHeading>Nothing was paid</ViewHeading>
          <p>
            The order ended without a deposit, and none of its transactions can land any more. A new
            transfer is safe.
          </p>
        </>
      )
    case 'paid':
      return <ViewHeading>Paid in</ViewHeading>
  }
}

interface EndProps {
  readonly status: OrderStatusRecord
  readonly tokens: readonly Token[]
}

function amountOf(event: OrderStatusRecord['delivery'], tokens: readonly Token[]): string {
  const token = tokens.find(({ assetId }) => assetId === event?.assetId)
  if (event === null || event.amount === null || token === undefined) return ''
  return `${showAmount(event.amount, token.decimals)} ${token.symbol}`
}

function Delivered({ status, tokens, state }: EndProps & { readonly state: TransferState }) {
  const { delivery } = status
  return (
    <>
      <div class="seal" aria-hidden="true">
        <svg viewBox="0 0 48 48" focusable="false">
          <path d="M14 25l7 7 14-16" />
        </svg>
      </div>
      <ViewHeading>Delivered</ViewHeading>
      <p class="now" role="status">
        {amountOf(delivery, tokens)} arrived
        {delivery === null ? '' : ` at ${showTime(delivery.at)}`}.
      </p>
      <dl class="to">
        <dt class="label">Recipient</dt>
        <dd class="mono address">{state.request.recipientAddress}</dd>
      </dl>
      <p class="hint">
        The recovery ticket has done its work: delete the file, since it joins both sides of the
        transfer for whoever reads it. This browser has dropped its own copy.
      </p>
    </>
  )
}

function Refunded({ status, tokens }: EndProps) {
  return (
    <>
      <ViewHeading>Your money is back</ViewHeading>
      <p class="now" role="status">
        It could not be delivered in time, so {amountOf(status.refund, tokens)} came back to your
        wallet
        {status.refund === null ? '' : ` at ${showTime(status.refund.at)}`}.
      </p>
      {status.refund?.reason === undefined ? null : (
        <p>
          Reason: <span class="mono">{status.refund.reason}</span>
        </p>
      )}
      <p class="hint">
        A refund holds everything but what the chain itself kept. Check the recipient’s address
        before you try again.
      </p>
    </>
  )
}
