import type { OrderStatusRecord, Token } from '@sotto/sdk/server'
import type { ProvenSettlement, TransferResult, TransferState } from '@sotto/sdk/wallet'
import { showAmount } from '../../look/amounts.ts'
import { showTime } from '../../look/durations.ts'
import type { PageConfig } from '../model/service.ts'
import { ExplorerNote } from './explorer-note.tsx'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly result: TransferResult
  readonly state: TransferState
  readonly tokens: readonly Token[]
  /** The signature of the payment; undefined if the page did not see it. */
  readonly signature: string | undefined
  readonly config: PageConfig
  readonly again: () => void
}

/** Shows how the transfer ended, for each possible outcome. */
export function Outcome({ result, state, tokens, signature, config, again }: Props) {
  return (
    <div class="card narrow">
      <End {...{ result, state, tokens }} />
      <ExplorerNote {...{ config, signature }} />
      <button type="button" class="first" onClick={again}>
        Make another transfer
      </button>
    </div>
  )
}

function End({ result, tokens, state }: Pick<Props, 'result' | 'tokens' | 'state'>) {
  switch (result.outcome) {
    case 'delivered':
      return <Delivered {...result} {...{ tokens, state }} />
    case 'refunded':
      return <Refunded {...result} tokens={tokens} />
    case 'expired':
    case 'not_paid':
      return (
        <>
          <ViewHeading>Nothing was paid</ViewHeading>
          <p>
            The order ended without a payment, and it can’t be paid any more. You can safely make a
            new transfer.
          </p>
        </>
      )
    case 'closed':
      return (
        <>
          <ViewHeading>Too long ago to know</ViewHeading>
          <p>
            No payment of this transfer can land any more. To find out how it ended, you need the
            recovery ticket, which this browser keeps, and a node that has the whole history of the
            chain.
          </p>
        </>
      )
    case 'paid':
      return <ViewHeading>Paid</ViewHeading>
  }
}

interface EndProps {
  /** The settlement that the chain proves. */
  readonly settlement: ProvenSettlement
  /** The service's own status. */
  readonly status: OrderStatusRecord | null
  readonly tokens: readonly Token[]
}

function amountOf({ assetId, amount }: ProvenSettlement, tokens: readonly Token[]): string {
  const token = tokens.find((one) => one.assetId === assetId)
  return token === undefined ? 'It' : `${showAmount(amount, token.decimals)} ${token.symbol}`
}

function Delivered({
  settlement,
  status,
  tokens,
  state,
}: EndProps & { readonly state: TransferState }) {
  const delivery = status?.delivery ?? null
  return (
    <>
      <div class="seal" aria-hidden="true">
        <svg viewBox="0 0 48 48" focusable="false">
          <path d="M14 25l7 7 14-16" />
        </svg>
      </div>
      <ViewHeading>Delivered</ViewHeading>
      <p class="now" role="status">
        {amountOf(settlement, tokens)} arrived
        {delivery === null ? '' : ` at ${showTime(delivery.at)}`}.
      </p>
      <dl class="to">
        <dt class="label">Recipient</dt>
        <dd class="mono address">{state.request.recipientAddress}</dd>
      </dl>
      <p class="hint">
        You don’t need the recovery ticket any more. Delete the file, because it shows both sender
        and recipient. This browser has deleted its own copy.
      </p>
    </>
  )
}

const REASONS: Readonly<Record<string, string>> = {
  recipient_not_payable: 'The recipient’s address could not receive this asset.',
  crowd_missed: 'Too few others sent this amount in time.',
  not_delivered_in_time: 'The service could not deliver it in time.',
}

function Refunded({ settlement, status, tokens }: EndProps) {
  const refund = status?.refund ?? null
  return (
    <>
      <ViewHeading>Your money is back</ViewHeading>
      <p class="now" role="status">
        {amountOf(settlement, tokens)} came back to your wallet
        {refund === null ? '' : ` at ${showTime(refund.at)}`}.
      </p>
      <p>{REASONS[refund?.reason ?? ''] ?? 'It was not delivered.'}</p>
      <p class="hint">
        The fees came back too, except the chain’s own fee.
        {refund?.reason === 'crowd_missed'
          ? ''
          : ' Check the recipient’s address before you try again.'}
      </p>
    </>
  )
}
