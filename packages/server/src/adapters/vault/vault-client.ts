import type { Clock } from '../../ports/clock.ts'
import { askRemote, type RemoteAnswer } from '../remote/ask-remote.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'

export interface VaultOptions {
  readonly url: string
  readonly token: SecretSource
  readonly namespace?: string | undefined
  readonly clock: Clock
}

/** Sends a request to Vault. `path` is the part of the URL after `/v1/`. */
export type AskVault = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: object,
) => Promise<RemoteAnswer>

/** Time limit of each of four tries. In the worst case, an order waits for all four tries. */
const TIMEOUT_MS = 3_000
/** Pauses before the further tries. A standby server takes over within about a second. */
const PAUSES_MS = [100, 400, 1_000]
const FORBIDDEN = 403
/** Statuses of a Vault server that is overloaded, is sealed, has no leader, or hasn't reached the requested state. */
const PASSING: ReadonlySet<number> = new Set([412, 429, 500, 502, 503, 504])

/**
 * Calls Vault's HTTP API. All requests of this service can be repeated without harm, so temporary failures are retried.
 * Another program may renew the token in its file. So if Vault refuses the token, the token's source is read again
 * once.
 *
 * @throws RemoteError if Vault can't be reached. The caller must check the answer's status.
 */
export function openVault({ url, token, namespace, clock }: VaultOptions): AskVault {
  let known: string | undefined
  const ask = (method: string, path: string, body: object | undefined) =>
    askRemote({
      service: 'vault',
      url: `${url.replace(/\/+$/, '')}/v1/${path}`,
      method,
      headers: {
        'X-Vault-Request': 'true',
        'X-Vault-Token': known ?? '',
        ...(namespace === undefined ? {} : { 'X-Vault-Namespace': namespace }),
        ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
      },
      body: body === undefined ? undefined : JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
    })
  const askAgain: AskVault = async (method, path, body) => {
    for (const pauseMs of PAUSES_MS) {
      const answer = await ask(method, path, body).catch((error: unknown) => {
        if (!(error instanceof RemoteError)) throw error
        return undefined
      })
      if (answer !== undefined && !PASSING.has(answer.status)) return answer
      await clock.sleep(pauseMs)
    }
    return ask(method, path, body)
  }
  return async (method, path, body) => {
    known ??= await token()
    const answer = await askAgain(method, path, body)
    if (answer.status !== FORBIDDEN) return answer
    const fresh = await token()
    if (fresh === known) return answer
    known = fresh
    return askAgain(method, path, body)
  }
}

/** Creates the error for an answer that the caller can't use. */
export function vaultError({ status }: RemoteAnswer): RemoteError {
  const advice =
    status === FORBIDDEN ? "check Vault's token and what its policy allows" : "check Vault's log"
  return new RemoteError('vault', status, advice)
}
