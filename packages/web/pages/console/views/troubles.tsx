import { showTime } from '../../look/durations.ts'
import { meaningOf, runbookOf } from '../model/alerts.ts'
import type { Trouble } from '../model/console-api.ts'

/**
 * Problems that are still relevant: first alerts with their runbooks, the most serious on top, and then the other
 * problems.
 */
export function Troubles({ troubles }: { readonly troubles: readonly Trouble[] }) {
  return (
    <section class="card wide" aria-labelledby="troubles-title">
      <h2 id="troubles-title">Last errors</h2>
      {troubles.length === 0 ? (
        <p class="hint">No current errors.</p>
      ) : (
        <ul class="troubles">
          {troubles.map(({ kind, code, count, at }) => (
            <li key={`${kind} ${code}`} class={kind === 'alert' ? meaningOf(code).level : ''}>
              <span class="verdict">{kind === 'alert' ? 'alert' : 'tried again'}</span>
              <span class="mono code">{code}</span>
              <span class="hint">
                {count === 1 ? 'once' : `${count} times`}, last {showTime(at, true)}
              </span>
              {kind === 'alert' ? <a href={runbookOf(code)}>Runbook for {code}</a> : null}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
