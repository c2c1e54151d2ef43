import type { IncomingMessage } from 'node:http'

/**
 * Returns every value of a header, in the order in which the values were sent. `name` must be in lower case. Node's
 * `headersDistinct` processes all headers, which takes many times as long as a search for one header.
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
