import { z } from 'zod'
import type { Clock } from '../../ports/clock.ts'
import { askRemote } from '../remote/ask-remote.ts'
import { parseAnswer } from '../remote/parse-answer.ts'
import { RemoteError } from '../remote/remote-error.ts'
import type { SecretSource } from '../remote/secret-source.ts'

export interface AwsCredentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

/** Returns valid credentials. If `wereRefused` is true, requests new credentials. */
export type CredentialSource = (wereRefused: boolean) => Promise<AwsCredentials>

const SERVICE = 'aws_credentials'
const TIMEOUT_MS = 3_000
/** Credentials are renewed this long before they expire. So they don't expire during a request. */
const EARLY_MS = 300_000

const Answer = z.object({
  AccessKeyId: z.string().min(1),
  SecretAccessKey: z.string().min(1),
  Token: z.string().min(1),
  Expiration: z.iso.datetime(),
})

/** Reads short-lived credentials from the URL that ECS and EKS Pod Identity offer to a container. */
export function credentialsFrom(
  url: string,
  token: SecretSource | undefined,
  clock: Clock,
): CredentialSource {
  let kept: { readonly value: AwsCredentials; readonly untilMs: number } | undefined
  return async (wereRefused) => {
    if (kept !== undefined && !wereRefused && clock.nowMs() < kept.untilMs - EARLY_MS) {
      return kept.value
    }
    const headers = token === undefined ? {} : { Authorization: await token() }
    const answer = await askRemote({ service: SERVICE, url, headers, timeoutMs: TIMEOUT_MS })
    if (answer.status !== 200) throw new RemoteError(SERVICE, answer.status)
    const found = parseAnswer(SERVICE, Answer, answer.text)
    kept = {
      value: {
        accessKeyId: found.AccessKeyId,
        secretAccessKey: found.SecretAccessKey,
        sessionToken: found.Token,
      },
      untilMs: Date.parse(found.Expiration),
    }
    return kept.value
  }
}
