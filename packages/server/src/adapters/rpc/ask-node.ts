import { RemoteError } from '../remote/remote-error.ts'

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 262_144

/**
 * Passes the text of one JSON-RPC request on and gives the answer's text, unread: from the first of these
 * nodes that answers.
 *
 * @throws RemoteError where none does. Whether a transaction that was in it lands is then unknown.
 */
export function askNodes(urls: readonly string[]): (body: string) => Promise<string> {
  return async (body) => {
    for (const url of urls) {
      const text = await askOne(url, body)
      if (text !== undefined) return text
    }
    throw new RemoteError('node', 'timeout')
  }
}

async function askOne(url: string, body: string): Promise<string | undefined> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await response.text()
    return response.ok && text.length <= ANSWER_BYTES_MAX ? text : undefined
  } catch {
    // Of a node that is down nothing is said here: the service's own requests report it.
    return undefined
  }
}
