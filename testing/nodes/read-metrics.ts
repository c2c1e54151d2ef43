/** The value in the metrics line that begins with `start`; 0 if there is no such line. */
function valueOf(metrics: string, start: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(start))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}

/** Number of tries with this outcome for node 0. */
export const triesOf = (metrics: string, outcome: 'failed' | 'lacking'): number =>
  valueOf(metrics, `sotto_rpc_tries_total{node="0",outcome="${outcome}"}`)

/** The time of the last comparison of chain and database, in seconds since 1970; 0 if there was none. */
export const booksAtOf = (metrics: string): number =>
  valueOf(metrics, 'sotto_books_timestamp_seconds')

const ALERT = /^sotto_alerts_total\{code="(\w+)"\} (\d+)/gm

/** The codes of the alerts that were raised between two readings of the metrics. */
export function alertsOf(before: string, after: string): string[] {
  const counts = new Map([...before.matchAll(ALERT)].map(([, code, count]) => [code, count]))
  return [...after.matchAll(ALERT)].flatMap(([, code = '', count]) =>
    count !== (counts.get(code) ?? '0') ? [code] : [],
  )
}
