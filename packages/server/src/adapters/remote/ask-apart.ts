import { request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { text } from 'node:stream/consumers'
import { reasonOf, type RemoteAnswer, type RemoteRequest } from './ask-remote.ts'
import { RemoteError } from './remote-error.ts'

/**
 * Sends one request on its own connection. A shared connection would reveal to the receiver which requests belong
 * together.
 *
 * @throws RemoteError if no complete answer arrives in time; an answer may have any status.
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
