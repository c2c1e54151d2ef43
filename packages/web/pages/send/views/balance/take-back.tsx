import { drawResidue } from '@sotto/sdk/balance'
import { useState } from 'preact/hooks'
import { showAmount } from '../../../look/amounts.ts'
import { isoOfSeconds, showDay } from '../../../look/durations.ts'
import { requestOf } from '../../model/balance/payment-form.ts'
import { isFromFile, returnSentence } from '../../model/balance/return-words.ts'
import { useQuote } from '../../model/use-quote.ts'
import { ProblemNote } from '../problem-note.tsx'
import { ANYONE, Linker, WhoLinks } from '../who-links.tsx'
import { ViewHeading } from '../view-heading.tsx'
import type { PaymentProps } from './balance-props.ts'
import { PaymentReceipt } from './payment-receipt.tsx'

interface TakeBackProps extends PaymentProps {
  /** The value of the top-up, in base units. */
  readonly paidIn: bigint
  readonly back: () => void
}

/** Returns the rest to the wallet now. This costs the fees of a payment. */
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
        What is left goes back now to the wallet that paid in. Afterwards you can’t send from this
        balance.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={!isWhole}
          onChange={({ currentTarget }) => setWhole(!currentTarget.checked)}
        />
        Give up {showAmount(residue, token?.decimals ?? 0)} {token?.symbol}, so that it is harder to
        find your payments by adding up amounts
      </label>
      {quoted === undefined ? (
        <p class="hint" role="status">
          {live.kind === 'asking' ? 'Getting the price…' : ''}
        </p>
      ) : (
        <PaymentReceipt {...{ quoted, token }} givenUp={kept} receives="Your wallet receives" />
      )}
      {live.kind === 'refused' ? (
        <ProblemNote problem={{ ...live.problem, canRetry: false }} />
      ) : null}
      <dl class="to">
        <dt class="label">Your wallet</dt>
        <dd class="mono address">{to}</dd>
      </dl>
      <ReturnPrivacy
        {...{ isWhole }}
        end={showDay(isoOfSeconds(endsAt))}
        isOfFile={isFromFile(run.name, note)}
      />
      <div class="row">
        <button
          type="button"
          class="second"
          aria-disabled={quoted === undefined}
          onClick={() => quoted && run.takeBack(quoted, to, amount, kept)}
        >
          Take it back now
        </button>
        <button type="button" class="first" onClick={back}>
          Keep the balance
        </button>
      </div>
    </div>
  )
}

interface PrivacyProps {
  /** True if the whole rest returns, so that no part stays in the pool. */
  readonly isWhole: boolean
  /** The time at which the balance ends, in words. */
  readonly end: string
  /** See `isFromFile`. */
  readonly isOfFile: boolean
}

/** Describes how private the balance's payments are once the rest has returned, and how to improve that. */
function ReturnPrivacy({ isWhole, end, isOfFile }: PrivacyProps) {
  return (
    <section class="crowd" aria-label="Privacy of your payments">
      <WhoLinks question="Who can link the payments from this balance to you?">
        <Linker
          who={ANYONE}
          verdict={isWhole ? 'probably' : 'only by guessing'}
          isWarning={isWhole}
        >
          They see how much returns to your wallet, so they know{' '}
          {isWhole
            ? 'exactly how much you have sent in total. They can search for payments that add up to it.'
            : 'roughly how much you have sent in total. If you made only one payment, they know roughly its amount. Because you give up a part, they can’t search for payments that add up exactly.'}
        </Linker>
        <Linker who="This service" verdict="yes">
          It made the payments, so it knows which balance paid whom.
        </Linker>
      </WhoLinks>
      <p class="crowd-question">What helps?</p>
      <p class="crowd-text">
        <strong>Give up the small part</strong>, as offered above. It doesn’t come back to you.
        Don’t fetch it later with the balance file, because that would show the exact sum of your
        payments. Still better: <strong>keep the balance</strong> and send the rest from it to other
        people, so that less comes back to you.
      </p>
      <p class="crowd-text">
        Waiting doesn’t help. You can send the rest until {end}.{' '}
        {returnSentence(isOfFile, 'your wallet')}
      </p>
    </section>
  )
}
