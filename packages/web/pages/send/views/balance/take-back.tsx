import { isoOfSeconds, showDay } from '../../../look/durations.ts'
import { requestOf } from '../../model/balance/payment-form.ts'
import { useQuote } from '../../model/use-quote.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ViewHeading } from '../view-heading.tsx'
import type { PaymentProps } from './balance-props.ts'
import { PaymentReceipt } from './payment-receipt.tsx'

/** Returns the rest to the wallet now, for the fees of a payment. */
export function TakeBack({ note, token, run, back }: PaymentProps & { readonly back: () => void }) {
  const { senderAddress: to, value, endsAt } = note
  const live = useQuote(requestOf({ to, amount: `${value}`, mode: 'exact_in' }, note), false)
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  return (
    <div class="card narrow">
      <ViewHeading>Take the rest back</ViewHeading>
      <p>
        Everything that is left goes back to the wallet that paid in, now. Afterwards this balance
        is empty.
      </p>
      {quoted === undefined ? (
        <p class="hint" role="status">
          {live.kind === 'asking' ? 'Getting the price…' : ''}
        </p>
      ) : (
        <PaymentReceipt {...{ quoted, token }} receives="Your wallet receives" />
      )}
      {live.kind === 'refused' ? (
        <ProblemNote problem={{ ...live.problem, canRetry: false }} />
      ) : null}
      <dl class="to">
        <dt class="label">Your wallet</dt>
        <dd class="mono address">{to}</dd>
      </dl>
      <p class="warning">
        Everyone can see that this amount returns to your wallet, and so how much you have sent from
        the balance in total. They see the same if you wait: after {showDay(isoOfSeconds(endsAt))}{' '}
        the rest returns by itself, without a fee.
      </p>
      <div class="row">
        <button
          type="button"
          class="first"
          aria-disabled={quoted === undefined}
          onClick={() => quoted && run.takeBack(quoted, to, `${value}`)}
        >
          Take it back now
        </button>
        <button type="button" class="quiet" onClick={back}>
          Keep the balance
        </button>
      </div>
    </div>
  )
}
