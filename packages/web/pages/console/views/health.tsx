import type { Overview } from '../model/console-api.ts'
import { signsOf, worstOf } from '../model/health.ts'

const WORDS = { good: 'fine', warn: 'check', bad: 'wrong' } as const
const VERDICTS = {
  good: 'All is well',
  warn: 'Needs attention',
  bad: 'Something is wrong',
} as const

interface Props {
  readonly overview: Overview
  /** The reason why the figures aren't current; undefined if they are. */
  readonly trouble: string | undefined
}

/** The worst level, and then the findings, the most serious first. */
export function Health({ overview, trouble }: Props) {
  const signs = signsOf(overview, trouble)
  const worst = worstOf(signs.map(({ level }) => level))
  return (
    <section class={`card health ${worst}`} aria-labelledby="health-title">
      <h2 id="health-title">Health</h2>
      <p class="figure" role="status">
        {VERDICTS[worst]}
      </p>
      <ul class="signs">
        {signs.map(({ name, level, text, runbook }) => (
          <li key={`${name} ${text}`} class={level}>
            <span class="sign-word">{WORDS[level]}</span>
            <span>
              <strong>{name}</strong> {text}
              {runbook === undefined ? null : (
                <>
                  {' '}
                  <a href={runbook} aria-label={`What to do: ${name} ${text}`}>
                    What to do
                  </a>
                </>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
