import type { UnrecordedPayment } from '@sotto/sdk/balance'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import { ViewHeading } from '../view-heading.tsx'
import type { OpenProps } from './balance-props.ts'
import { PaymentLine } from './payment-line.tsx'

interface Props extends OpenProps {
  readonly payment: NewPayment
  readonly made: UnrecordedPayment
}

/** Asks the person about a payment that the chain shows, and that may be the payment that they want to make. */
export function UncertainPayment({ payment, made, run, book, tokens }: Props) {
  const { signature } = made
  return (
    <div class="card narrow">
      <ViewHeading>You may have sent this already</ViewHeading>
      <p role="status">
        The chain shows a payment out of this balance that this browser has no record of. It may be
        the payment that you want to send now. You may have made it in another browser, or before
        this browser’s data was restored.
      </p>
      {signature === null ? null : (
        <dl class="to">
          <dt class="label">Transaction on the chain</dt>
          <dd class="mono address">{signature}</dd>
        </dl>
      )}
      <PaymentLine {...{ payment, tokens, book }} />
      <div class="row">
        <button type="button" class="first" onClick={() => run.answer(false)}>
          Don’t send
        </button>
        <button type="button" class="second" onClick={() => run.answer(true)}>
          Send it once more
        </button>
      </div>
    </div>
  )
}
