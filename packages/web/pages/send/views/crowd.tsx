import { showAmount } from '../../look/amounts.ts'
import { showSeconds } from '../../look/durations.ts'

interface Props {
  readonly anonymitySet: number
  readonly windowSeconds: number
  readonly suggestedAmounts: readonly string[]
  readonly symbol: string
  readonly decimals: number
  readonly suggest: (base: string, decimals: number) => void
}

/** More dots than this say nothing more. */
const DOTS = 24

function verdictOf(crowd: number): { readonly word: string; readonly level: string } {
  if (crowd <= 1) return { word: 'Alone', level: 'low' }
  if (crowd < 10) return { word: 'A few alike', level: 'middle' }
  return { word: 'In a crowd', level: 'high' }
}

/** How private the transfer is, as the quote states it: what an onlooker can't tell apart. */
export function Crowd(props: Props) {
  const { anonymitySet, windowSeconds, suggestedAmounts, symbol, decimals, suggest } = props
  const { word, level } = verdictOf(anonymitySet)
  return (
    <section class={`crowd ${level}`} aria-labelledby="crowd-title">
      <p class="crowd-head">
        <span id="crowd-title" class="label">
          Privacy
        </span>
        <strong>{word}</strong>
      </p>
      <Dots crowd={anonymitySet} />
      <p class="crowd-text">
        {anonymitySet <= 1
          ? `Nobody else sent this amount within ${showSeconds(windowSeconds)}. Whoever compares amounts can link yours: wait longer, or choose an amount that others send.`
          : `An onlooker can’t tell which of ${anonymitySet} transfers is yours.`}
      </p>
      {suggestedAmounts.length === 0 ? null : (
        <div class="suggestions">
          <p class="hint">More common amounts to receive:</p>
          {suggestedAmounts.map((base) => (
            <button type="button" key={base} class="pill" onClick={() => suggest(base, decimals)}>
              {showAmount(base, decimals)} {symbol}
            </button>
          ))}
        </div>
      )}
    </section>
  )
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
          class={index === 0 ? 'own' : index < shown ? 'other' : 'nobody'}
        />
      ))}
    </svg>
  )
}
