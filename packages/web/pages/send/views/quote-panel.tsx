import type { QuoteResponse, Token } from '@sotto/sdk/server'
import { privacyInWords, type AskedCrowd } from '@sotto/sdk/wallet'
import type { ComponentChildren } from 'preact'
import { showAmount } from '../../look/amounts.ts'
import { showSeconds } from '../../look/durations.ts'
import type { Suggestion } from '../model/transfer-form.ts'
import type { Phase } from '../model/transfer-phase.ts'
import type { TransferRun } from '../model/transfer-run.ts'
import type { LiveQuote } from '../model/use-quote.ts'
import { Crowd, WhatHelps } from './crowd.tsx'
import { ProblemNote } from './problem-note.tsx'
import { Receipt } from './receipt.tsx'
import { Story } from './story.tsx'

interface Props {
  readonly live: LiveQuote
  /** The crowd that the form asks for. */
  readonly asked: AskedCrowd | undefined
  readonly tokens: readonly Token[]
  readonly phase: Phase
  readonly run: TransferRun
  readonly isConnected: boolean
  /**
   * The amount in base units that the chosen suggestion should deliver, if the quote delivers a different amount;
   * undefined otherwise.
   */
  readonly missed: (quoted: QuoteResponse) => string | undefined
  readonly suggest: (one: Suggestion) => void
  /** A proposal for a way to send that hides the transfer better. */
  readonly children: ComponentChildren
}

/** Shows cost, time and privacy of the requested transfer before anything is prepared. */
export function QuotePanel(props: Props) {
  const { live, asked, tokens, phase, run, isConnected, missed, suggest, children } = props
  const repriced = phase.kind === 'repriced' ? phase.quoted : undefined
  const quoted = repriced ?? quotedOf(live)
  return (
    <aside class="card panel" aria-label="Cost, time and privacy">
      <h2>{quoted === undefined ? 'How it works' : 'Your transfer'}</h2>
      {quoted === undefined ? (
        <>
          <Story />
          <p class="hint">
            {isConnected
              ? 'Enter an amount and a recipient to see cost, time and privacy here.'
              : 'Connect a wallet to see cost, time and privacy here.'}
          </p>
        </>
      ) : (
        <div class={live.kind === 'asking' ? 'stale' : ''}>
          <Receipt {...{ quoted, tokens }} />
          <Moved {...{ quoted, tokens }} missed={missed(quoted)} />
          <Facts {...{ quoted, asked, tokens, suggest }}>{children}</Facts>
        </div>
      )}
      {live.kind === 'refused' && live.problem.field === undefined ? (
        <ProblemNote problem={{ ...live.problem, canRetry: false }} />
      ) : null}
      <p class="visually-hidden" role="status">
        {spoken(live, tokens, asked)}
      </p>
      {repriced === undefined ? null : <Repriced run={run} />}
    </aside>
  )
}

const quotedOf = (live: LiveQuote): QuoteResponse | undefined => {
  if (live.kind === 'quoted') return live.quoted
  return live.kind === 'asking' ? live.last : undefined
}

function spoken(live: LiveQuote, tokens: readonly Token[], asked: AskedCrowd | undefined): string {
  if (live.kind === 'asking') return 'Getting the price.'
  if (live.kind !== 'quoted') return ''
  const { quote } = live.quoted
  const { hiding, wallets } = privacyInWords(live.quoted, asked)
  const token = tokens.find(({ assetId }) => assetId === quote.destinationAssetId)
  const amount = `${showAmount(quote.amountOut, token?.decimals ?? 0)} ${token?.symbol ?? ''}`
  return `They receive ${amount} within about ${showSeconds(quote.duration)}. ${hiding === 'none' ? 'Not private.' : `One of ${wallets} or more.`}`
}

interface MovedProps {
  readonly quoted: QuoteResponse
  readonly tokens: readonly Token[]
  readonly missed: string | undefined
}

/** Says that the price has moved since the person chose a suggested amount for a swap. */
function Moved({ quoted, tokens, missed }: MovedProps) {
  const token = tokens.find(({ assetId }) => assetId === quoted.quote.destinationAssetId)
  return (
    <p class="crowd-text" role="status">
      {missed === undefined
        ? null
        : `The price has moved: they no longer receive exactly ${showAmount(missed, token?.decimals ?? 0)} ${token?.symbol ?? ''}.`}
    </p>
  )
}

interface FactsProps {
  readonly quoted: QuoteResponse
  readonly asked: AskedCrowd | undefined
  readonly tokens: readonly Token[]
  readonly suggest: (one: Suggestion) => void
  readonly children: ComponentChildren
}

function Facts({ quoted, asked, tokens, suggest, children }: FactsProps) {
  const { quote } = quoted
  const token = tokens.find(({ assetId }) => assetId === quote.destinationAssetId)
  return (
    <>
      <dl class="fact">
        <dt>{asked?.minCrowd === undefined ? 'Usually arrives within' : 'Waits at most'}</dt>
        <dd>about {showSeconds(quote.duration)}</dd>
      </dl>
      <Crowd {...{ quoted, asked }}>
        <WhatHelps {...{ quoted, asked, token, suggest }}>{children}</WhatHelps>
      </Crowd>
    </>
  )
}

function Repriced({ run }: { readonly run: TransferRun }) {
  return (
    <div class="problem" role="alert">
      <h2>The price has changed</h2>
      <p>The new terms are above. Nothing has been ordered or paid yet.</p>
      <div class="row">
        <button type="button" class="first" onClick={() => run.answer(true)}>
          Accept the new price
        </button>
        <button type="button" class="second" onClick={() => run.answer(false)}>
          Back
        </button>
      </div>
    </div>
  )
}
