import type { QuoteResponse } from '@sotto/sdk/server'
import { showTime } from '../../../look/durations.ts'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { PaymentLine } from './payment-line.tsx'

interface Props extends OpenProps {
  readonly payment: NewPayment
  readonly shown: QuoteResponse
  readonly atMs: number
}

/** A payment that waits until its top-up's time no longer points to it. */
export function Waiting({ payment, shown, atMs, run, book, tokens }: Props) {
  const at = showTime(new Date(atMs).toISOString())
  return (
    <div class="card narrow">
      <ViewHeading>Waiting until {at}</ViewHeading>
      <p class="now" role="status">
        The page sends your payment at {at}, by itself.{' '}
        <strong>Keep this page open until then.</strong> If you close it, nothing is sent.
      </p>
      <PaymentLine {...{ payment, tokens, book }} />
      <p class="hint">
        The moment is drawn at random, so that it can’t be computed from your top-up either.
      </p>
      <div class="row">
        <button type="button" class="first" onClick={() => run.dontWait()}>
          Stop: don’t send it
        </button>
        <button type="button" class="second" onClick={() => run.pay(payment, shown)}>
          Send it now, easy to link
        </button>
      </div>
    </div>
  )
}
