import type { PayStep, WantedPayment } from '../../model/balance/balance-phase.ts'
import { Stages, type Stage } from '../stages.tsx'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { PaymentLine } from './payment-line.tsx'

const STAGES: readonly Stage[] = [
  ['Check of the price', 'Price checked'],
  ['Signature by this browser', 'Signed by this browser'],
  ['Payment', 'Paid'],
]
const DONE: Readonly<Record<PayStep, number>> = { preparing: 0, signing: 1, handed: 2 }

interface Props extends OpenProps {
  readonly payment: WantedPayment
  readonly step: PayStep
}

/** Shows a payment in progress, from the check of its price until the chain proves it. */
export function Paying({ payment, step, book, tokens }: Props) {
  const done = DONE[step]
  return (
    <div class="card narrow">
      <ViewHeading>{payment.isClosing ? 'Taking the rest back' : 'Sending'}</ViewHeading>
      <PaymentLine {...{ payment, tokens, book }} />
      <p class="now" role="status">
        {step === 'handed'
          ? 'The service computes a proof for your payment and sends the payment to the chain. This takes about half a minute.'
          : 'Your browser checks and signs the payment. Your wallet is not asked.'}
      </p>
      <Stages stages={STAGES} done={done} />
      <p class="hint">
        You can close this page. When you open this balance again, the page finds out whether the
        payment was made. It is never made twice.
      </p>
    </div>
  )
}
