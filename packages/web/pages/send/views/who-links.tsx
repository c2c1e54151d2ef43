import type { ComponentChildren } from 'preact'

interface Props {
  /** The question that the list answers. */
  readonly question: string
  readonly children: ComponentChildren
}

/** Lists who can link a payment to the person, with one `Linker` for each kind of observer. */
export function WhoLinks({ question, children }: Props) {
  return (
    <>
      <p class="crowd-question">{question}</p>
      <dl class="linkers">{children}</dl>
    </>
  )
}

/** Names everyone who reads the blockchain. */
export const ANYONE = 'Anyone who reads the public blockchain'

interface LinkerProps {
  readonly who: string
  readonly verdict: string
  readonly isWarning?: boolean
  readonly children: ComponentChildren
}

/** One kind of observer, whether it can link the payment, and why. */
export function Linker({ who, verdict, isWarning, children }: LinkerProps) {
  return (
    <div>
      <dt>
        {who}: <strong class={isWarning === true ? 'warn' : ''}>{verdict}</strong>
      </dt>
      <dd>{children}</dd>
    </div>
  )
}
