import { useEffect, useState } from 'preact/hooks'
import type { NewPayment } from '../../model/balance/balance-phase.ts'
import { emptyPayment, type PaymentValues } from '../../model/balance/payment-form.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ViewHeading } from '../view-heading.tsx'
import { BackButton } from './back-button.tsx'
import type { OpenProps } from './balance-props.ts'
import { Paid } from './paid.tsx'
import { Paying } from './paying.tsx'
import { PaymentLine } from './payment-line.tsx'
import { ReadyBalance } from './ready-balance.tsx'
import { RepricedPayment } from './repriced-payment.tsx'
import { UncertainPayment } from './uncertain-payment.tsx'
import { Waiting } from './waiting.tsx'

/** Shows the view for the open balance's current phase. */
export function OpenBalance(props: OpenProps) {
  const { book, run, draft } = props
  const { phase } = book
  // These values are kept in this component, so that the form is unchanged when the person returns to it.
  const [values, setValues] = useState(emptyPayment(draft))
  const change = (part: Partial<PaymentValues>) => setValues((before) => ({ ...before, ...part }))
  useEffect(() => setValues(emptyPayment(draft)), [draft])
  const back = <BackButton back={() => book.go({ kind: 'list' })} />
  switch (phase.kind) {
    case 'opening':
      return (
        <div class="card narrow">
          <ViewHeading>Opening your balance</ViewHeading>
          <p class="now" role="status">
            {phase.pending === undefined
              ? 'Reading the remaining amount from the chain.'
              : 'A payment was interrupted. This page now finds out whether it was made, and finishes it if you had signed it.'}
          </p>
          {phase.pending === undefined ? null : <PaymentLine payment={phase.pending} {...props} />}
        </div>
      )
    case 'elsewhere':
      return (
        <div class="card narrow">
          <ViewHeading>Already open in another tab</ViewHeading>
          <p class="now" role="status">
            Another tab of this browser uses this balance. Go to that tab, or close it: this tab
            then opens the balance by itself.
          </p>
          {back}
        </div>
      )
    case 'ready':
      return <ReadyBalance {...{ ...props, values, change }} {...phase} />
    case 'waiting':
      return <Waiting {...props} {...phase} />
    case 'repriced':
      return <RepricedPayment {...props} quoted={phase.quoted} />
    case 'uncertain':
      return <UncertainPayment {...props} {...phase} />
    case 'paying':
      return <Paying {...props} {...phase} />
    case 'paid':
      return <Paid {...props} {...phase} done={() => setValues(emptyPayment(undefined))} />
    case 'unpaid':
      return <Unpaid {...props} payment={phase.payment} />
    case 'problem':
      return (
        <div class="card narrow">
          <ViewHeading>This balance needs your attention</ViewHeading>
          <ProblemNote problem={phase.problem} retry={() => run.again()} />
          {back}
        </div>
      )
  }
}

/** Shows an interrupted payment that was never signed, or that can't land any more. */
function Unpaid({ run, book, tokens, payment }: OpenProps & { readonly payment: NewPayment }) {
  return (
    <div class="card narrow">
      <ViewHeading>A payment was not made</ViewHeading>
      <p class="now" role="status">
        It was interrupted before it could be paid. Your balance is unchanged.
      </p>
      <PaymentLine payment={payment} tokens={tokens} book={book} />
      <div class="row">
        <button type="button" class="first" onClick={() => run.again()}>
          Send it now
        </button>
        <button type="button" class="second" onClick={() => void run.drop()}>
          Don’t send it
        </button>
      </div>
    </div>
  )
}
