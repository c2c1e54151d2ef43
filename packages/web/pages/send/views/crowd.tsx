import type { QuoteResponse, Token } from '@sotto/sdk/server'
import type { ComponentChildren } from 'preact'
import { showAmount } from '../../look/amounts.ts'

interface Props {
  readonly quoted: Pick<QuoteResponse, 'privacy' | 'linkProbability' | 'waitingHelps'>
  /** The asset that arrives. */
  readonly token: Token | undefined
  /** Enters an amount that more transfers have; omitted if the amount can't be changed any more. */
  readonly suggest?: (base: string, decimals: number) => void
  /** What would hide more, shown if the transfer hides nothing. */
  readonly children?: ComponentChildren
}

/** More dots than this add nothing. */
const DOTS = 24

const levelOf = (set: number): string => (set <= 1 ? 'low' : set < 10 ? 'middle' : 'high')

/** How private the transfer is according to the quote: its anonymity set, shown as a crowd. */
export function Crowd({ quoted, token, suggest, children }: Props) {
  const { anonymitySet, suggestedAmounts } = quoted.privacy
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
            ? ' A longer delivery time gains nothing. Choose an amount that others send.'
            : ' Choose an amount that others send, or a longer delivery time.'}
      </p>
      {anonymitySet > 1 ? null : children}
      {suggest === undefined || suggestedAmounts.length === 0 ? null : (
        <div class="suggestions">
          <p class="hint">Amounts that more people receive:</p>
          {suggestedAmounts.map((base) => (
            <button
              type="button"
              key={base}
              class="pill"
              onClick={() => suggest(base, token?.decimals ?? 0)}
            >
              {showAmount(base, token?.decimals ?? 0)} {token?.symbol}
            </button>
          ))}
        </div>
      )}
    </section>
  )
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
