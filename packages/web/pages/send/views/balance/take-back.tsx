import { drawResidue } from '@sotto/sdk/balance'
import { useState } from 'preact/hooks'
import { showAmount } from '../../../look/amounts.ts'
import { isoOfSeconds, showDay } from '../../../look/durations.ts'
import { requestOf } from '../../model/balance/payment-form.ts'
import { useQuote } from '../../model/use-quote.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ViewHeading } from '../view-heading.tsx'
import type { PaymentProps } from './balance-props.ts'
import { PaymentReceipt } from './payment-receipt.tsx'

interface TakeBackProps extends PaymentProps {
  /** The top-up, base units. */
  readonly paidIn: bigint
  readonly back: () => void
}

/** Returns the rest to the wallet now, for the fees of a payment. */
export function TakeBack({ note, token, run, paidIn, back }: TakeBackProps) {
  const { senderAddress: to, value, endsAt } = note
  const [residue] = useState(() => drawResidue(paidIn, value))
  const [isWhole, setWhole] = useState(false)
  const kept = isWhole ? 0n : residue
  const amount = `${value - kept}`
  const live = useQuote(requestOf({ to, amount, mode: 'exact_in' }, note), false)
  const quoted = live.kind === 'quoted' ? live.quoted : undefined
  return (
    <div class="card narrow">
      <ViewHeading>Take the rest back</ViewHeading>
      <p>
        What is left goes back to the wallet that paid in, now. Afterwards you can’t send from this
        balance.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={!isWhole}
          onChange={({ currentTarget }) => setWhole(!currentTarget.checked)}
        />
        Leave {showAmount(residue, token?.decimals ?? 0)} {token?.symbol} in the pool, so that your
        payments can’t be found by their sum
      </label>
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
        Everyone can see that this amount returns to your wallet, and so about how much you have
        sent from the balance in total. If you wait, the whole rest returns by itself after{' '}
        {showDay(isoOfSeconds(endsAt))}, without a fee. Your payments then add up exactly to what
        did not return, and people can search for them.
      </p>
      <div class="row">
        <button
          type="button"
          class="first"
          aria-disabled={quoted === undefined}
          onClick={() => quoted && run.takeBack(quoted, to, amount, kept)}
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
