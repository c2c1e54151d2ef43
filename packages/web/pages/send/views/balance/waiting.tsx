import type { QuoteResponse } from '@sotto/sdk/server'
import { useEffect, useState } from 'preact/hooks'
import { showAhead, showTime } from '../../../look/durations.ts'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { PaymentLine } from './payment-line.tsx'

interface Props extends OpenProps {
  readonly payment: NewPayment
  readonly shown: QuoteResponse
  readonly atMs: number
}

/** Interval in milliseconds at which the page updates the remaining time. */
const TICK_MS = 10_000

/** Shows a payment that waits until its time no longer points to the top-up. */
export function Waiting({ payment, shown, atMs, run, book, tokens }: Props) {
  const [now, setNow] = useState(Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK_MS)
    return () => clearInterval(timer)
  }, [])
  const at = showTime(new Date(atMs).toISOString())
  return (
    <div class="card narrow">
      <ViewHeading>Waiting until {at}</ViewHeading>
      <p class="now" role="status">
        The page sends your payment at {at}, {showAhead(BigInt(Math.floor((atMs - now) / 1_000)))}.{' '}
        <strong>Keep this page open and the computer awake until then.</strong> If the computer
        sleeps at that time, the page sends the payment after the computer has woken up. If you
        close the page, nothing is sent.
      </p>
      <PaymentLine {...{ payment, tokens, book }} />
      <p class="hint">
        The moment is drawn at random, so that no one can compute it from your top-up.
      </p>
      <div class="row">
        <button type="button" class="second" onClick={() => run.dontWait()}>
          Stop: don’t send it
        </button>
        <button type="button" class="quiet" onClick={() => run.pay(payment, shown)}>
          Send it now, easy to link
        </button>
      </div>
    </div>
  )
}
