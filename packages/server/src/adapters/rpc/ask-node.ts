import { askRemote } from '../remote/ask-remote.ts'
import { RemoteError } from '../remote/remote-error.ts'

const TIMEOUT_MS = 10_000
/**
 * Maximum number of bytes of an answer. The largest account that a web page reads is the program's account, and the
 * limit is several times the size of that account.
 */
const ANSWER_BYTES_MAX = 524_288
const TOO_LARGE = 'node_too_large'

/**
 * Forwards the text of one JSON-RPC request. Returns the unparsed text of the answer of the first node that answers.
 * The caller chooses the accounts to read, and some accounts have megabytes. If an answer exceeds `ANSWER_BYTES_MAX`,
 * the rest of it isn't read, no other node is asked, and the result is undefined.
 *
 * If there are endpoints for sending, a transaction goes to all of them at once, and to no other node. The result is
 * the answer of the first endpoint that accepts the transaction. If no endpoint accepts it, the result is the refusal
 * of one endpoint.
 *
 * @throws RemoteError if no node answers. If the request contains a transaction, it is then unknown whether the
 * transaction lands.
 */
export function askNodes(
  urls: readonly string[],
  sending?: readonly string[],
): (body: string, isTransaction?: boolean) => Promise<string | undefined> {
  return async (body, isTransaction = false) => {
    if (isTransaction && sending !== undefined) return sendToAll(sending, body)
    for (const url of urls) {
      const text = await askOne(url, body)
      if (text === TOO_LARGE) return undefined
      if (text !== undefined) return text
    }
    throw new RemoteError('node', 'timeout')
  }
}

async function sendToAll(urls: readonly string[], body: string): Promise<string> {
  const texts = urls.map((url) => askOne(url, body))
  const answers = texts.map(async (asked) => {
    const text = await asked
    if (text === undefined || isRefusal(text)) throw new RemoteError('node', 'refused')
    return text
  })
  try {
    return await Promise.any(answers)
  } catch {
    const refusal = (await Promise.all(texts)).find(
      (text) => text !== undefined && text !== TOO_LARGE,
    )
    if (refusal !== undefined) return refusal
    throw new RemoteError('node', 'timeout')
  }
}

/** True if an answer has no result. */
function isRefusal(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text)
    return typeof answer !== 'object' || answer === null || !('result' in answer)
  } catch {
    return true
  }
}

async function askOne(url: string, body: string): Promise<string | undefined> {
  const headers = { 'content-type': 'application/json' }
  const limits = { timeoutMs: TIMEOUT_MS, bytesMax: ANSWER_BYTES_MAX }
  try {
    const asked = { service: 'node', url, method: 'POST', headers, body, ...limits }
    const { status, text } = await askRemote(asked)
    return status >= 200 && status < 300 ? text : undefined
  } catch (error) {
    if (error instanceof RemoteError && error.code === TOO_LARGE) return TOO_LARGE
    // A failed node isn't reported here, because the service's own requests to the node report it.
    return undefined
  }
}
