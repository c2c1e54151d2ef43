import { AwsV4Signer } from 'aws4fetch'
import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { askRemote, type RemoteAnswer } from '../remote/ask-remote.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { CredentialSource } from './aws-credentials.ts'

export interface KmsOptions {
  readonly region: string
  /** The URL of KMS; by default the URL of the region. */
  readonly url?: string | undefined
  readonly credentials: CredentialSource
  readonly clock: Clock
}

/** Calls an operation of KMS and returns the JSON of the answer. */
export type AskKms = (operation: string, input: object) => Promise<string>

const SERVICE = 'aws_kms'
/** Time limit of each of four tries. In the worst case, an order waits for all four tries. */
const TIMEOUT_MS = 3_000
const PAUSES_MS = [100, 400, 1_000]
/** Errors that may disappear with new credentials. */
const EXPIRED: ReadonlySet<string> = new Set([
  'ExpiredTokenException',
  'UnrecognizedClientException',
  'InvalidSignatureException',
])
const PASSING: ReadonlySet<string> = new Set([
  'ThrottlingException',
  'KMSInternalException',
  'DependencyTimeoutException',
  'KeyUnavailableException',
])
const Fault = z.object({ __type: z.string() })

/**
 * Returns the name of the error in an answer; the HTTP status if there is no name. Some answers put a namespace before
 * the name. The namespace is removed.
 */
function faultOf({ status, text }: RemoteAnswer): string | number {
  try {
    const parsed = Fault.safeParse(JSON.parse(text))
    const name = parsed.data?.__type.split('#').at(-1)
    return name !== undefined && /^[A-Za-z]{1,64}$/.test(name) ? name : status
  } catch {
    return status
  }
}

/** Calls AWS KMS by its JSON protocol. Each request is signed with Signature Version 4. */
export function openKms({ region, url, credentials, clock }: KmsOptions): AskKms {
  const endpoint = url ?? `https://kms.${region}.amazonaws.com/`
  const ask = async (operation: string, body: string, wereRefused: boolean) => {
    const signer = new AwsV4Signer({
      ...(await credentials(wereRefused)),
      ...{ url: endpoint, method: 'POST', body, region, service: 'kms' },
      datetime: new Date(clock.nowMs()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
      headers: {
        'Content-Type': 'application/x-amz-json-1.1',
        'X-Amz-Target': `TrentService.${operation}`,
      },
    })
    const signed = await signer.sign()
    return askRemote({
      ...{ service: SERVICE, url: endpoint, method: 'POST', body, timeoutMs: TIMEOUT_MS },
      headers: Object.fromEntries(signed.headers.entries()),
    })
  }
  return async (operation, input) => {
    const body = JSON.stringify(input)
    let wereRefused = false
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      const answer = await ask(operation, body, wereRefused).catch((error: unknown) => {
        if (pauseMs === undefined || !(error instanceof RemoteError)) throw error
        return undefined
      })
      if (answer?.status === 200) return answer.text
      const fault = answer === undefined ? 'connection' : faultOf(answer)
      const isExpired = EXPIRED.has(String(fault))
      const isPassing =
        isExpired || answer === undefined || answer.status >= 500 || PASSING.has(String(fault))
      // If KMS refuses new credentials too, they are wrong, and another try wouldn't help.
      if (pauseMs === undefined || !isPassing || (isExpired && wereRefused)) {
        throw new RemoteError(
          SERVICE,
          fault,
          "check the key, the region and the credentials' policy",
        )
      }
      wereRefused = isExpired
      await clock.sleep(pauseMs)
    }
    throw new RemoteError(SERVICE, 'connection')
  }
}
