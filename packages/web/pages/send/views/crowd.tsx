import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { privacyInWords } from '@sotto/sdk/wallet'
import type { ComponentChildren } from 'preact'
import { showAmount } from '../../look/amounts.ts'
import type { Suggestion } from '../model/transfer-form.ts'
import { ANYONE, Linker, WhoLinks } from './who-links.tsx'

type Quoted = Pick<QuoteResponse, 'privacy' | 'linkProbability' | 'waitingHelps' | 'suggestions'>

interface Props {
  readonly quoted: Quoted
  /** What would hide more, shown unless the transfer hides well. */
  readonly children?: ComponentChildren
}

/** More dots than this add nothing. */
const DOTS = 24

const LEVELS = { none: 'low', small: 'middle', large: 'high' } as const

/** How private the transfer is according to the quote: its crowd, who can link it, and what would help. */
export function Crowd({ quoted, children }: Props) {
  const { anonymitySet } = quoted.privacy
  const { hiding, verdict, reason } = privacyInWords(quoted)
  return (
    <section class={`crowd ${LEVELS[hiding]}`} aria-labelledby="crowd-title">
      <p class="crowd-head">
        <span id="crowd-title" class="label">
          Privacy
        </span>
        <strong>{hiding === 'none' ? 'Not private' : `One of ${anonymitySet} or more`}</strong>
      </p>
      <Dots crowd={anonymitySet} />
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
  /** The asset that arrives. */
  readonly token: Token | undefined
  /** Enters an amount that others can also choose. */
  readonly suggest: (one: Suggestion) => void
  /** The proposal of a balance. */
  readonly children: ComponentChildren
}

/** What would hide the transfer better: a balance, another amount, a longer time. */
export function WhatHelps({ quoted, token, suggest, children }: HelpProps) {
  const { delay } = privacyInWords(quoted)
  return (
    <>
      {children}
      <Suggestions {...{ quoted, token, suggest }} />
      {delay === undefined ? null : <p class="crowd-text">{delay}</p>}
    </>
  )
}

/** Amounts of a fixed series with their crowds, unless this transfer hides better than each of them. */
function Suggestions({ quoted, token, suggest }: Omit<HelpProps, 'children'>) {
  const { privacy, suggestions = [] } = quoted
  const isBest = suggestions.every(({ anonymitySet }) => anonymitySet < privacy.anonymitySet)
  if (isBest) return null
  return (
    <div class="suggestions">
      <p class="crowd-text">
        <strong>Send one of these amounts.</strong> Only payments of the same amount hide yours, and
        the page suggests these to everyone. So far they are sent by:
      </p>
      {suggestions.map((one) => (
        <button type="button" key={one.amountOut} class="pill" onClick={() => suggest(one)}>
          {showAmount(one.amountOut, token?.decimals ?? 0)} {token?.symbol}
          <span class="joined-by">{crowdOf(one)}</span>
        </button>
      ))}
    </div>
  )
}

function crowdOf({ anonymitySet, linkProbability }: Suggestion): string {
  const others = anonymitySet - 1
  if (others > 0) return others === 1 ? 'at least 1 other' : `at least ${others} others`
  return linkProbability === '1' ? 'no one else yet' : 'few others'
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
