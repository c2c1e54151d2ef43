import type { QuoteResponse, Token } from '@sotto/sdk/server'
import type { ComponentChildren } from 'preact'
import { showAmount } from '../../look/amounts.ts'
import type { Suggestion } from '../model/transfer-form.ts'

interface Props {
  readonly quoted: Pick<
    QuoteResponse,
    'privacy' | 'linkProbability' | 'waitingHelps' | 'suggestions'
  >
  /** The asset that arrives. */
  readonly token: Token | undefined
  /** Enters an amount that others can also choose; omitted if the amount can't be changed any more. */
  readonly suggest?: (one: Suggestion) => void
  /** What would hide more, shown if the transfer hides nothing. */
  readonly children?: ComponentChildren
}

/** More dots than this add nothing. */
const DOTS = 24

const levelOf = (set: number): string => (set <= 1 ? 'low' : set < 10 ? 'middle' : 'high')

/** How private the transfer is according to the quote: its anonymity set, shown as a crowd. */
export function Crowd({ quoted, token, suggest, children }: Props) {
  const { anonymitySet } = quoted.privacy
  return (
    <section class={`crowd ${levelOf(anonymitySet)}`} aria-labelledby="crowd-title">
      <p class="crowd-head">
        <span id="crowd-title" class="label">
          Privacy
        </span>
        <strong>{anonymitySet <= 1 ? 'Not private' : `One of ${anonymitySet}`}</strong>
      </p>
      <Dots crowd={anonymitySet} />
      <p class="crowd-text">
        {privacyText(quoted)}
        {suggest === undefined || anonymitySet > 1
          ? ''
          : quoted.waitingHelps === false
            ? ' A longer delivery time gains nothing. Choose an amount that others can send too.'
            : ' Choose an amount that others can send too, or a longer delivery time.'}
      </p>
      {anonymitySet > 1 ? null : children}
      {suggest === undefined ? null : <Suggestions {...{ quoted, token, suggest }} />}
    </section>
  )
}

interface SuggestionsProps extends Pick<Props, 'quoted' | 'token'> {
  readonly suggest: (one: Suggestion) => void
}

/** Amounts of a fixed series with their crowds, unless this transfer hides better than each of them. */
function Suggestions({ quoted, token, suggest }: SuggestionsProps) {
  const { privacy, suggestions = [] } = quoted
  const isBest = suggestions.every(({ anonymitySet }) => anonymitySet < privacy.anonymitySet)
  if (isBest) return null
  return (
    <div class="suggestions">
      <p class="hint">
        Only a payment of the same amount can hide yours. These amounts are suggested to everyone:
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
  if (anonymitySet > 1) return `one of ${anonymitySet}`
  return linkProbability === '1' ? 'no one else yet' : 'few others'
}

function privacyText({
  privacy: { anonymitySet },
  linkProbability,
  waitingHelps,
}: Props['quoted']): string {
  if (anonymitySet > 1) {
    return `${anonymitySet} wallets, yours included, could have made this payment. Amounts and times alone don’t show which one did.`
  }
  if (waitingHelps === false || linkProbability === undefined || linkProbability === '1') {
    return 'Anyone can link this: no one else’s payment of this amount is waiting.'
  }
  return `Anyone can link this: too few others send this amount. A stranger who reads the chain finds you with a chance of ${percent(linkProbability)}.`
}

/** A chance below 1, which has at most three digits, in whole percent, rounded up. */
const percent = (chance: string): string => {
  const thousandths = BigInt(chance.slice('0.'.length).padEnd(3, '0'))
  return `${(thousandths + 9n) / 10n} %`
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
