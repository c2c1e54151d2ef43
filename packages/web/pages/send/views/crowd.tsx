import type { Token } from '@sotto/sdk/server'
import { privacyInWords, type AskedCrowd } from '@sotto/sdk/wallet'
import type { ComponentChildren } from 'preact'
import { showAmount } from '../../look/amounts.ts'
import type { Suggestion } from '../model/transfer-form.ts'
import { ANYONE, Linker, WhoLinks } from './who-links.tsx'

type Quoted = Parameters<typeof privacyInWords>[0]

interface Props {
  readonly quoted: Quoted
  /** The crowd and the delays that the request asks for. */
  readonly asked: AskedCrowd | undefined
  /** Advice on how to hide the transfer better. It is shown unless the transfer is already hidden well. */
  readonly children?: ComponentChildren
}

/** Number of dots in the picture of the crowd. */
const DOTS = 24

const LEVELS = { none: 'low', small: 'middle', large: 'high' } as const

/** The transfer's privacy according to the quote: its crowd, who can link the transfer, and advice. */
export function Crowd({ quoted, asked, children }: Props) {
  const { anonymitySet } = quoted.byAmount ?? quoted.privacy
  const { hiding, wallets, verdict, reason } = privacyInWords(quoted, asked)
  // With a requested crowd, or for a recipient that was paid before, `wallets` doesn't count the wallets of this
  // moment.
  const isOther = asked?.minCrowd !== undefined || quoted.recipientPaidBefore === true
  const dots = isOther ? anonymitySet : wallets
  return (
    <section class={`crowd ${LEVELS[hiding]}`} aria-labelledby="crowd-title">
      <p class="crowd-head">
        <span id="crowd-title" class="label">
          Privacy
        </span>
        <strong>{hiding === 'none' ? 'Not private' : `One of ${wallets} or more`}</strong>
      </p>
      <Dots crowd={dots} />
      <p class="hint dots-key" aria-hidden="true">
        {dotsInWords(dots)}
      </p>
      <WhoLinks question="Who can link this payment to you?">
        <Linker who={ANYONE} verdict={verdict} isWarning={hiding === 'none'}>
          {reason}
        </Linker>
        <Linker who="This service" verdict="yes">
          It delivers the payment, so it knows who pays whom.
        </Linker>
      </WhoLinks>
      {hiding === 'large' || children === undefined ? null : (
        <>
          <p class="crowd-question">What helps?</p>
          {children}
        </>
      )}
    </section>
  )
}

interface HelpProps {
  readonly quoted: Quoted
  readonly asked: AskedCrowd | undefined
  /** The asset that arrives. */
  readonly token: Token | undefined
  /** Enters an amount that others can choose too. */
  readonly suggest: (one: Suggestion) => void
  /** The proposal to use a balance. */
  readonly children: ComponentChildren
}

/** Advice on how to hide the transfer better: use a balance, another amount, or a longer delivery time. */
export function WhatHelps({ quoted, asked, token, suggest, children }: HelpProps) {
  const { delay, amounts } = privacyInWords(quoted, asked)
  return (
    <>
      {children}
      <Suggestions {...{ amounts, token, suggest }} />
      {delay === undefined ? null : <p class="crowd-text">{delay}</p>}
    </>
  )
}

interface SuggestionsProps extends Pick<HelpProps, 'token' | 'suggest'> {
  readonly amounts: readonly Suggestion[]
}

/** Amounts of a fixed series, which others send too, each with its crowd. */
function Suggestions({ amounts, token, suggest }: SuggestionsProps) {
  if (amounts.length === 0) return null
  return (
    <div class="suggestions">
      <p class="crowd-text">
        <strong>Send one of these amounts.</strong> Only payments of the same amount hide yours, and
        others send these now:
      </p>
      {amounts.map((one) => (
        <button type="button" key={one.amountOut} class="pill" onClick={() => suggest(one)}>
          {showAmount(one.amountOut, token?.decimals ?? 0)} {token?.symbol}
          <span class="joined-by">{crowdOf(one)}</span>
        </button>
      ))}
    </div>
  )
}

function crowdOf({ anonymitySet }: Suggestion): string {
  const others = anonymitySet - 1
  return others === 1 ? 'at least 1 other' : `at least ${others} others`
}

/**
 * The meaning of the dots, in words. Screen readers skip the dots, because the sentences in this section say the same.
 */
function dotsInWords(crowd: number): string {
  if (crowd === 1) {
    return 'The filled dot is your wallet. Each other wallet that could have made this payment would fill one more dot.'
  }
  const more = crowd > DOTS ? `, the first ${DOTS} of them` : ''
  return `Each filled dot is a wallet that could have made this payment now${more}. The first is yours.`
}

function Dots({ crowd }: { readonly crowd: number }) {
  const shown = Math.min(crowd, DOTS)
  return (
    <svg class="dots" viewBox={`0 0 ${DOTS * 10} 10`} aria-hidden="true" focusable="false">
      {Array.from({ length: DOTS }, (_, index) => (
        <circle
          key={index}
          cx={index * 10 + 5}
          cy="5"
          r="3.4"
          class={index === 0 ? 'own' : index < shown ? 'other' : 'empty'}
        />
      ))}
    </svg>
  )
}
