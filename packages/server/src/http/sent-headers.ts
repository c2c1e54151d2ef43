import type { IncomingMessage } from 'node:http'

/**
 * Every value with which a header was sent, in order; `name` in lower case. Node's own view of all
 * headers apart is built as a whole, which costs many times as much as looking for one.
 */
export function sentHeaders({ rawHeaders }: IncomingMessage, name: string): string[] {
  const values: string[] = []
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const sent = rawHeaders[at] ?? ''
    if (sent.length === name.length && sent.toLowerCase() === name) {
      values.push(rawHeaders[at + 1] ?? '')
    }
  }
  return values
}
