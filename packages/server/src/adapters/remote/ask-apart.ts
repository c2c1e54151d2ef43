import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { BYTES_MAX, reasonOf, type RemoteAnswer, type RemoteRequest } from './ask-remote.ts'
import { readWithin } from './read-within.ts'
import { RemoteError } from './remote-error.ts'

/**
 * Sends one request on its own connection. On a shared connection, the receiver would see which requests belong
 * together.
 *
 * @throws RemoteError if no complete answer arrives in time; an answer may have any status.
 */
export async function askApart(request: Omit<RemoteRequest, 'body'>): Promise<RemoteAnswer> {
  const { service, url, method = 'GET', headers = {}, timeoutMs, bytesMax = BYTES_MAX } = request
  const send = new URL(url).protocol === 'https:' ? requestSecure : requestPlain
  try {
    return await new Promise<RemoteAnswer>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs)
      let hasAnswer = false
      const sent = send(url, { method, headers, agent: false, signal }, (response) => {
        hasAnswer = true
        readWithin(service, response as AsyncIterable<Uint8Array>, bytesMax).then(
          (text) => resolve({ status: response.statusCode ?? 0, text }),
          reject,
        )
      })
      sent.on('error', reject)
      // If the receiver switches to another protocol, the request gets only this event, but no answer and no error.
      sent.on('close', () => {
        if (!hasAnswer) reject(new RemoteError(service, 'no_answer'))
      })
      sent.end()
    })
  } catch (error) {
    throw error instanceof RemoteError ? error : new RemoteError(service, reasonOf(error))
  }
}
