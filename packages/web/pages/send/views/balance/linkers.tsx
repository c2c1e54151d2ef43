import type { GivenAwayBy } from '@sotto/sdk/balance'
import type { Token } from '@sotto/sdk/server'
import { showAmount } from '../../../look/amounts.ts'
import type { Suggestion } from '../../model/transfer-form.ts'
import { ANYONE, Linker, WhoLinks } from '../who-links.tsx'

interface Props {
  /** The reasons why the payment is easy to link; empty if the page knows none. */
  readonly givenAway: readonly GivenAwayBy[]
  /** True if the pool has paid the recipient before. */
  readonly isPaidBefore: boolean
  /** The time after which the payment's time no longer points to the top-up, in words. */
  readonly settled: string
  /** True if the page reaches a node through the service. */
  readonly isOwnNode: boolean
  /** Round amounts close to the payment's amount. Empty if the payment's amount is already round. */
  readonly rounder: readonly Suggestion[]
  readonly token: Token | undefined
  readonly suggest: (one: Suggestion) => void
}

/** Shows who can link a payment from a balance with the wallet that paid in, and how to make this link harder. */
export function Linkers(props: Props) {
  const { givenAway, isPaidBefore, settled, isOwnNode } = props
  const isLinked = givenAway.length > 0
  const isOwn = givenAway.includes('own_wallet')
  return (
    <section class="crowd" aria-label="Privacy of this payment">
      <WhoLinks question="Who can link this payment to you?">
        <Linker
          who={ANYONE}
          verdict={isLinked ? 'easily' : 'only by guessing'}
          isWarning={isLinked}
        >
          <Anyone givenAway={givenAway} /> {isPaidBefore && !isOwn ? PAID_BEFORE : null}
        </Linker>
        <Linker who="This service" verdict="yes">
          It makes your payments, so it knows who pays whom. It can’t pay anyone else with your
          money.
        </Linker>
        {isOwnNode ? null : (
          <Linker who="The node that this page asks" verdict="partly">
            It sees which payments come from the same balance.
          </Linker>
        )}
      </WhoLinks>
      <p class="crowd-question">What helps?</p>
      {isOwn ? (
        <p class="crowd-text">Send it to another person. Your own wallet is known as yours.</p>
      ) : (
        <WhatHelps {...props} settled={settled} />
      )}
    </section>
  )
}

const PAID_BEFORE =
  'This recipient was paid through this service before, which everyone can see. If you made one of those payments, each further payment to this recipient makes it easier to find you, even if no single payment is easy to link.'

function Anyone({ givenAway }: Pick<Props, 'givenAway'>) {
  if (givenAway.includes('own_wallet')) {
    return (
      <>The money goes to the wallet that paid in, so everyone sees that this amount came back.</>
    )
  }
  if (givenAway.length === 0) {
    return (
      <>
        They see the recipient, the amount and the time, but not which balance paid. The payer must
        have paid in at least this much. If few wallets have paid in so much, or if your wallet paid
        in the most, they can guess that it is you. There is no figure for their chance, because the
        blockchain doesn’t show what is left in a balance. They may know that your wallet paid this
        recipient before: by a transfer, or from a balance soon after you paid in. Then they guess
        that this payment is yours too.
      </>
    )
  }
  return (
    <>
      {givenAway.includes('time')
        ? 'They saw that your wallet paid in recently, so a payment made now points to your wallet. '
        : null}
      {givenAway.includes('amount')
        ? 'This payment takes all that you paid in, so the two amounts match. '
        : null}
      {givenAway.includes('sum')
        ? 'This payment takes all that is left, so your payments add up exactly to what you paid in. Anyone can search for payments with this sum, and soon finds them if you made only a few.'
        : null}
    </>
  )
}

/** Advice on how to make the payment harder to link. If there is nothing left to improve, says so. */
function WhatHelps({ givenAway, settled, rounder, token, suggest }: Props) {
  const isFine = givenAway.length === 0 && rounder.length === 0
  return (
    <>
      {givenAway.includes('time') ? (
        <p class="crowd-text">
          <strong>Wait until some hours after {settled}. A day is better still.</strong> Anyone can
          compute that time, so don’t send right after it. The longer ago you paid in, the less the
          time of this payment points to you.
        </p>
      ) : null}
      {givenAway.includes('amount') || givenAway.includes('sum') ? (
        <p class="crowd-text">
          <strong>Send less</strong>, and leave some money in the balance.
        </p>
      ) : null}
      {rounder.length === 0 ? null : (
        <div class="suggestions">
          <p class="crowd-text">
            <strong>Send a round amount.</strong> An odd amount stands out more:
          </p>
          {rounder.map((one) => (
            <button type="button" key={one.amountOut} class="pill" onClick={() => suggest(one)}>
              {showAmount(one.amountOut, token?.decimals ?? 0)} {token?.symbol}
            </button>
          ))}
        </div>
      )}
      {isFine ? (
        <p class="crowd-text">
          The amount is round, and you paid in over an hour ago. Privacy grows with that time, and
          with the number of other people who have balances. Don’t send to a wallet that people know
          as yours.
        </p>
      ) : null}
    </>
  )
}
