import type { QuoteResponse, Token } from '@sotto/sdk/server'
import type { VerifiedOrder } from '@sotto/sdk/wallet'
import { useState } from 'preact/hooks'
import { showAmount } from '../../look/amounts.ts'
import { isoOfSeconds, showSeconds, showTime } from '../../look/durations.ts'
import type { TransferRun } from '../model/transfer-run.ts'
import { Checks } from './checks.tsx'
import { TicketButton } from './ticket-button.tsx'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly order: VerifiedOrder
  readonly quoted: QuoteResponse
  readonly tokens: readonly Token[]
  readonly walletName: string
  readonly run: TransferRun
}

/** What was checked, the ticket to keep, and only then the wallet. */
export function CheckAndSign({ order, quoted, tokens, walletName, run }: Props) {
  const [isKept, setKept] = useState(false)
  const { quote } = quoted
  const show = (base: string, id: string) => {
    const token = tokens.find(({ assetId }) => assetId === id)
    return (
      <strong>
        {showAmount(base, token?.decimals ?? 0)} <span class="unit">{token?.symbol}</span>
      </strong>
    )
  }
  return (
    <div class="card narrow">
      <ViewHeading>Check and sign</ViewHeading>
      <p class="flow">
        <span>
          <span class="label">You pay</span>
          {show(quote.amountIn, quote.sourceAssetId)}
        </span>
        <span class="arrow" aria-hidden="true">
          →
        </span>
        <span>
          <span class="label">They receive</span>
          {show(quote.amountOut, quote.destinationAssetId)}
        </span>
      </p>
      <dl class="to">
        <dt class="label">Recipient</dt>
        <dd class="mono address">{order.ticket.note.recipient}</dd>
      </dl>
      <Checks order={order} />
      <KeepTicket order={order} isKept={isKept} kept={() => setKept(true)} />
      <SignOnce {...{ order, quoted, walletName, run, isKept }} />
    </div>
  )
}

interface KeepProps {
  readonly order: VerifiedOrder
  readonly isKept: boolean
  readonly kept: () => void
}

function KeepTicket({ order, isKept, kept }: KeepProps) {
  return (
    <section class="ticket" aria-labelledby="ticket-title">
      <h2 id="ticket-title">1. Keep your recovery ticket</h2>
      <p>
        If this service fails or disappears, <span class="mono">sotto recover</span> delivers the
        money, or brings it back to you, with this file alone. Whoever reads it sees both sides of
        the transfer: keep it like a letter.
      </p>
      <TicketButton
        trackingId={order.trackingId}
        ticket={order.recovery}
        kept={kept}
        isKept={isKept}
        class={isKept ? 'second' : 'first'}
      />
      <p class="hint" role="status">
        {isKept ? 'The ticket was handed to your browser’s downloads.' : ''}
      </p>
    </section>
  )
}

type SignProps = Omit<Props, 'tokens'> & { readonly isKept: boolean }

function SignOnce({ order, quoted: { quote }, walletName, run, isKept }: SignProps) {
  return (
    <section class="ticket" aria-labelledby="sign-title">
      <h2 id="sign-title">2. Sign once</h2>
      <p>
        One signature is all. It arrives in about {showSeconds(quote.duration)}; if it is not
        delivered by {showTime(isoOfSeconds(order.ticket.note.expiry))}, it comes back to your
        wallet.
      </p>
      <div class="row">
        <button
          type="button"
          class={isKept ? 'first' : 'second'}
          aria-disabled={!isKept}
          aria-describedby="sign-why"
          onClick={() => isKept && run.answer(true)}
        >
          Sign in {walletName}
        </button>
        <button type="button" class="quiet" onClick={() => run.answer(false)}>
          Cancel
        </button>
      </div>
      <p id="sign-why" class="hint">
        {isKept ? '' : 'First save the ticket: from the moment you sign, it is your insurance.'}
      </p>
    </section>
  )
}
