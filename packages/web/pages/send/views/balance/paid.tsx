import type { PaidPayment } from '@sotto/sdk/balance'
import { showAmount } from '../../../look/amounts.ts'
import type { WantedPayment } from '../../model/balance/balance-phase.ts'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { openToken } from './open-token.ts'

interface Props extends OpenProps {
  readonly payment: WantedPayment
  readonly paid: PaidPayment
  /** Called when the person leaves this view. */
  readonly done: () => void
}

/** Shows a payment that the chain has proved. */
export function Paid({ payment, paid, run, book, tokens, done }: Props) {
  const token = openToken(book, tokens)
  const show = (base: string) => `${showAmount(base, token?.decimals ?? 0)} ${token?.symbol ?? ''}`
  const goOn = () => {
    done()
    void run.ready()
  }
  return (
    <div class="card narrow">
      <div class="seal" aria-hidden="true">
        <svg viewBox="0 0 48 48" focusable="false">
          <path d="M14 25l7 7 14-16" />
        </svg>
      </div>
      <ViewHeading>{payment.isClosing ? 'The rest is back' : 'Sent'}</ViewHeading>
      <p class="now" role="status">
        {show(paid.payout)} arrived. The fee was {show(paid.fee)}.
      </p>
      <dl class="to">
        <dt class="label">{payment.isClosing ? 'Your wallet' : 'Recipient'}</dt>
        <dd class="mono address">{payment.to}</dd>
      </dl>
      <button type="button" class="first" onClick={goOn}>
        Show what is left
      </button>
    </div>
  )
}
