import type { Problem } from '../model/problems.ts'

interface Props {
  readonly problem: Problem
  readonly retry?: (() => void) | undefined
  readonly retryLabel?: string
}

/** Shows a problem and the next step. Screen readers announce it immediately. */
export function ProblemNote({ problem, retry, retryLabel = 'Try again' }: Props) {
  const { title, text, nextStep, code, requestId, details = [], canRetry } = problem
  return (
    <section class="problem" role="alert">
      <h2>{title}</h2>
      {text === '' ? null : <p>{text}</p>}
      {details.length === 0 ? null : (
        <ul>
          {details.map((detail) => (
            <li key={detail}>{detail}</li>
          ))}
        </ul>
      )}
      <p class="next">{nextStep}</p>
      {code === undefined && requestId === undefined ? null : (
        <p class="small">
          {code === undefined ? null : <span class="mono">{code}</span>}
          {requestId === undefined ? null : <span class="mono"> {requestId}</span>}
        </p>
      )}
      {retry === undefined || !canRetry ? null : (
        <button type="button" class="second" onClick={retry}>
          {retryLabel}
        </button>
      )}
    </section>
  )
}
