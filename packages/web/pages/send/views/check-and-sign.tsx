import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { privacyInWords, type AskedCrowd, type VerifiedOrder } from '@sotto/sdk/wallet'
import { useState } from 'preact/hooks'
import { showAmount } from '../../look/amounts.ts'
import { isoOfSeconds, showDay, showSeconds } from '../../look/durations.ts'
import { isSwap, rateOf } from '../model/swap-terms.ts'
import { ticketFileName } from '../model/ticket-file.ts'
import type { TransferRun } from '../model/transfer-run.ts'
import { Checks } from './checks.tsx'
import { Crowd } from './crowd.tsx'
import { TicketButton } from './ticket-button.tsx'
import { SignButtons } from './sign-buttons.tsx'
import { ViewHeading } from './view-heading.tsx'

interface Props {
  readonly order: VerifiedOrder
  readonly quoted: QuoteResponse
  /** The crowd that the transfer waits for. */
  readonly asked: AskedCrowd
  readonly tokens: readonly Token[]
  readonly walletName: string
  readonly run: TransferRun
}

/** Shows the terms again and the checks, lets the person save the ticket, and only then asks the wallet. */
export function CheckAndSign({ order, quoted, asked, tokens, walletName, run }: Props) {
  const [isKept, setKept] = useState(false)
  const { quote } = quoted
  const change = whatToChange(quoted, asked)
  const of = (id: string) => tokens.find(({ assetId }) => assetId === id)
  const show = (base: string, id: string) => (
    <strong>
      {showAmount(base, of(id)?.decimals ?? 0)} <span class="unit">{of(id)?.symbol}</span>
    </strong>
  )
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
      {isSwap(quote) ? (
        <dl class="receipt plain">
          <div>
            <dt>Rate after fees</dt>
            <dd>{rateOf(quote, tokens)}</dd>
          </div>
          <div>
            <dt>They receive at least</dt>
            <dd>{show(quote.amountOut, quote.destinationAssetId)}</dd>
          </div>
        </dl>
      ) : null}
      <dl class="to">
        <dt class="label">Recipient</dt>
        <dd class="mono address">{order.delivery.recipient}</dd>
      </dl>
      <Crowd {...{ quoted, asked }}>
        {change === '' ? undefined : <p class="crowd-text">{change}</p>}
      </Crowd>
      <Checks order={order} />
      <KeepTicket order={order} isKept={isKept} kept={() => setKept(true)} />
      <SignOnce {...{ order, quoted, asked, tokens, walletName, run, isKept }} />
    </div>
  )
}

/** Advice on how to hide the transfer better, for a person who can still cancel. Empty if there is no advice. */
function whatToChange(quoted: QuoteResponse, asked: AskedCrowd): string {
  const { delay, amounts } = privacyInWords(quoted, asked)
  const balance = isSwap(quoted.quote) ? [] : ['send it from a balance']
  const others = amounts.length === 0 ? [] : ['choose an amount that more people send']
  const ways = [...balance, ...others].join(', or ')
  if (ways === '') return delay ?? ''
  return `You can still cancel, and then ${ways}. ${delay?.replace(/^Choose/, 'Or choose') ?? ''}`
}

interface KeepProps {
  readonly order: VerifiedOrder
  readonly isKept: boolean
  readonly kept: () => void
}

function KeepTicket({ order, isKept, kept }: KeepProps) {
  return (
    <section class="ticket" aria-labelledby="ticket-title">
      <h2 id="ticket-title">1. Save your recovery ticket</h2>
      <p>
        If this service fails, this file is all you need: the command{' '}
        <span class="mono">sotto recover</span> delivers the money with it, or brings it back to
        you. Keep it private: it shows both sender and recipient.
      </p>
      <TicketButton
        trackingId={order.trackingId}
        ticket={order.recovery}
        kept={kept}
        isKept={isKept}
        class={isKept ? 'second' : 'first'}
      />
      <p class="hint" role="status">
        {isKept
          ? `Look in your downloads: the file ${ticketFileName(order.trackingId)} must be there. If it is not, save it again before you sign.`
          : ''}
      </p>
    </section>
  )
}

/** Explains the refund of a swap. A refund never opens a token account: it waits until the wallet has one. */
const swapRefund = (symbol = 'the asset that it was exchanged for'): string =>
  `, as ${symbol}, as soon as your wallet has an account for it`

type SignProps = Props & { readonly isKept: boolean }

function SignOnce({ order, quoted, asked, tokens, walletName, run, isKept }: SignProps) {
  const { quote } = quoted
  const token = tokens.find(({ assetId }) => assetId === quote.destinationAssetId)
  return (
    <section class="ticket" aria-labelledby="sign-title">
      <h2 id="sign-title">2. Sign once</h2>
      <p>
        You sign only once. The money{' '}
        {asked.minCrowd === undefined ? 'usually arrives within' : 'waits for its crowd, at most'}{' '}
        about {showSeconds(quote.duration)}. If it can’t be delivered by{' '}
        {showDay(isoOfSeconds(order.delivery.expiry))}, all of it comes back to your wallet
        {isSwap(quote) ? swapRefund(token?.symbol) : ', with all fees except the chain’s own'}.
      </p>
      <SignButtons
        {...{
          walletName,
          isReady: isKept,
          why: 'Save the ticket first. You may need it from the moment you sign.',
        }}
        answer={(isSigned) => run.answer(isSigned)}
      />
    </section>
  )
}
