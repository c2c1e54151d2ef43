import type { ComponentChildren } from 'preact'
import type { GivenAwayBy } from '../../model/balance/time-of-payment.ts'

interface Props {
  /** What makes the payment easy to link; empty if nothing is known to. */
  readonly givenAway: readonly GivenAwayBy[]
  /** When the time no longer points to the top-up, in words. */
  readonly settled: string
  /** True if the payment goes to the wallet that paid in. */
  readonly isOwn: boolean
  /** True if the page reaches a node through the service. */
  readonly isOwnNode: boolean
}

/** Who can link a payment from a balance with the wallet that paid in, and what would help. */
export function Linkers({ givenAway, settled, isOwn, isOwnNode }: Props) {
  const isLinked = givenAway.length > 0 || isOwn
  return (
    <section class="crowd" aria-labelledby="linkers-title">
      <h3 id="linkers-title">Who can link this payment to you?</h3>
      <dl class="linkers">
        <Linker
          who="Everyone who reads the chain"
          verdict={isLinked ? 'easily' : 'not directly'}
          isWarning={isLinked}
        >
          <Everyone {...{ givenAway, settled, isOwn }} />
        </Linker>
        <Linker who={isOwnNode ? 'This service, with its node' : 'This service'} verdict="yes">
          It makes your payments, so it sees which balance pays whom. It can’t pay anyone else with
          your money.
        </Linker>
        {isOwnNode ? null : (
          <Linker who="The node that this page asks" verdict="partly">
            It sees which payments come from the same balance.
          </Linker>
        )}
      </dl>
    </section>
  )
}

function Everyone({ givenAway, settled, isOwn }: Omit<Props, 'isOwnNode'>) {
  if (isOwn) {
    return (
      <>
        The money goes to the wallet that paid in: everyone sees that it came back, and how much of
        it.
      </>
    )
  }
  if (givenAway.length === 0) {
    return (
      <>
        They see the recipient, the amount and the time, but not which balance paid. They can still
        compare times and amounts.
      </>
    )
  }
  return (
    <>
      {givenAway.includes('time') ? (
        <>
          You paid in only a short time ago, and everyone saw it. A payment that follows soon after
          points to your wallet. <strong>What helps: wait until after {settled}.</strong>{' '}
        </>
      ) : null}
      {givenAway.includes('amount') ? (
        <>
          This payment takes all that you paid in, so the two amounts match.{' '}
          <strong>What helps: send less, and leave a rest in the balance.</strong>
        </>
      ) : null}
    </>
  )
}

interface LinkerProps {
  readonly who: string
  readonly verdict: string
  readonly isWarning?: boolean
  readonly children: ComponentChildren
}

function Linker({ who, verdict, isWarning, children }: LinkerProps) {
  return (
    <div>
      <dt>
        {who}: <strong class={isWarning === true ? 'warn' : ''}>{verdict}</strong>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
