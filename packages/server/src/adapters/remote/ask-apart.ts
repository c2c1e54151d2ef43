import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { reasonOf, type RemoteAnswer, type RemoteRequest } from './ask-remote.ts'
import { RemoteError } from './remote-error.ts'

/**
 * Asks once, on a connection of its own that no other request is ever made on: whoever answers must not
 * learn from a connection which questions belong together.
 *
 * @throws RemoteError where no whole answer comes in time, whatever its status.
 */
export async function askApart(request: Omit<RemoteRequest, 'body'>): Promise<RemoteAnswer> {
  const { service, url, method = 'GET', headers = {}, timeoutMs } = request
  const send = url.startsWith('https:') ? requestSecure : requestPlain
  try {
    return await new Promise<RemoteAnswer>((resolve, reject) => {
      const signal = AbortSignal.timeout(timeoutMs)
      const sent = send(url, { method, headers, agent: false, signal }, (response) => {
        text(response).then(
          (body) => resolve({ status: response.statusCode ?? 0, text: body }),
          reject,
        )
      })
      sent.on('error', reject)
      sent.end()
    })
  } catch (error) {
    throw new RemoteError(service, reasonOf(error))
  }
}
