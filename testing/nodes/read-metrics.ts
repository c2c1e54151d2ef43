/** The value in the line that begins with this text; 0 if there is no such line. */
function valueOf(metrics: string, start: string): number {
  const line = metrics.split('\n').find((one) => one.startsWith(start))
  return line === undefined ? 0 : Number(line.split(' ').at(-1))
}

/** Number of tries of node 0 with this outcome. */
export const triesOf = (metrics: string, outcome: 'failed' | 'lacking'): number =>
  valueOf(metrics, `sotto_rpc_tries_total{node="0",outcome="${outcome}"}`)

const ALERT = /^sotto_alerts_total\{code="(\w+)"\} (\d+)/gm

/** Codes of the alerts that were raised between two readings. */
export function alertsOf(before: string, after: string): string[] {
  const counts = new Map([...before.matchAll(ALERT)].map(([, code, count]) => [code, count]))
  return [...after.matchAll(ALERT)].flatMap(([, code = '', count]) =>
    count !== (counts.get(code) ?? '0') ? [code] : [],
  )
}
