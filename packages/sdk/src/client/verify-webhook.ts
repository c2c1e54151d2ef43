import type { WebhookEvent } from '@sotto/contract'
import { systemHost, type Host } from '../host/host.ts'

/**
 * The headers of a request: a `Headers` object of `fetch`, the headers of a Node request, or any record. Header names
 * are matched without regard to case.
 */
export type WebhookHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>

/** A recent message whose signature was made with this endpoint's secret. */
export interface VerifiedWebhook {
  /**
   * The `webhook-id`. The same message may arrive more than once with the same id. So store the ids of the messages
   * that you have processed.
   */
  readonly id: string
  readonly type: string
  /** The event; undefined for a type that this version doesn't know. In that case respond with 204 and do nothing. */
  readonly event: WebhookEvent | undefined
}

/**
 * The reason why a message is rejected. `secret`: you passed no secret, or one that doesn't have the format in which
 * the service shows secrets. `header`: a header is missing, duplicated or unreadable. `too_old`, `too_new`: the
 * message's time is outside the tolerance. `signature`: no signature matches any of your secrets. `body`: the body was
 * not passed as text or bytes, or it is signed but isn't an event.
 */
export type WebhookProblem = 'secret' | 'header' | 'too_old' | 'too_new' | 'signature' | 'body'

/** The message must not be trusted. Respond with 401, or with 500 if the problem is `secret`. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly problem: WebhookProblem

  constructor(problem: WebhookProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export interface VerifyWebhookOptions {
  /** Seconds by which the message's time may differ from this machine's clock; the default is 300. */
  readonly toleranceSeconds?: number
  readonly host?: Pick<Host, 'nowMs'>
}

const TOLERANCE_SECONDS = 300
/**
 * Maximum number of signatures that are compared. During rotations of secrets, a message has up to five. Without a
 * limit, an attacker could make the endpoint compute many HMACs.
 */
const SIGNATURES_MAX = 8
const KEY_BYTES_MIN = 24

/**
 * Verifies a message according to Standard Webhooks, and reads its event. The platform's HMAC function compares the
 * signatures in constant time.
 *
 * @param body the body exactly as it was received: text or bytes, never parsed and serialised again.
 * @param secret `whsec_…`, or both the old and the new secret during a rotation.
 * @throws WebhookVerificationError. RangeError if `toleranceSeconds` isn't a number from 0 on.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<VerifiedWebhook> {
  const secrets = typeof secret === 'string' ? [secret] : secret
  if (secrets.length === 0) throw refusal('secret', 'no secret was given')
  const keys = await Promise.all(secrets.map(importKey))
  const id = readHeader(headers, 'webhook-id')
  const timestamp = readHeader(headers, 'webhook-timestamp')
  const signatures = readHeader(headers, 'webhook-signature').split(' ')
  assertLately(timestamp, options)
  const text = textOf(body)
  const signed = new TextEncoder().encode(`${id}.${timestamp}.${text}`)
  for (const signature of signatures.slice(0, SIGNATURES_MAX)) {
    const bytes = signatureBytes(signature)
    if (bytes === undefined) continue
    for (const key of keys) {
      if (await crypto.subtle.verify('HMAC', key, bytes, signed)) return readMessage(id, text)
    }
  }
  throw refusal(
    'signature',
    "none of the message's signatures fits this secret; is the body unchanged?",
  )
}

const refusal = (problem: WebhookProblem, message: string) =>
  new WebhookVerificationError(problem, message)

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return undefined
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
  } catch {
    return undefined
  }
}

async function importKey(secret: string) {
  const bytes = fromBase64(secret.replace(/^whsec_/, ''))
  if (!secret.startsWith('whsec_') || bytes === undefined || bytes.length < KEY_BYTES_MIN) {
    throw refusal('secret', 'a secret is `whsec_` followed by base64, as the service showed it')
  }
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', bytes, algorithm, false, ['verify'])
}

function signatureBytes(signature: string): Uint8Array<ArrayBuffer> | undefined {
  return signature.startsWith('v1,') ? fromBase64(signature.slice('v1,'.length)) : undefined
}

function readHeader(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? [headers.get(name) ?? undefined]
      : Object.keys(headers)
          .filter((key) => key.toLowerCase() === name)
          .flatMap((key) => headers[key])
  const [value] = found
  if (value === undefined || value === '') throw refusal('header', `${name} is missing`)
  if (found.length > 1) throw refusal('header', `${name} appears more than once`)
  return value
}

function assertLately(
  timestamp: string,
  { toleranceSeconds = TOLERANCE_SECONDS, host = systemHost }: VerifyWebhookOptions,
): void {
  // NaN, for example of a missing setting, would accept messages of any age.
  if (!(toleranceSeconds >= 0)) throw new RangeError('toleranceSeconds is not a number from 0 on')
  if (!/^[0-9]{1,12}$/.test(timestamp)) {
    throw refusal('header', 'webhook-timestamp is not a number of seconds since 1970')
  }
  const ageSeconds =
    Math.floor(host.nowMs() / 1_000) - (JSON.parse(`${BigInt(timestamp)}`) as number)
  if (ageSeconds > toleranceSeconds) {
    throw refusal('too_old', `the message is ${ageSeconds} s old; is this machine's clock right?`)
  }
  if (ageSeconds < -toleranceSeconds) {
    throw refusal('too_new', `the message is ${-ageSeconds} s ahead of this machine's clock`)
  }
}

function textOf(body: string | Uint8Array): string {
  if (typeof body === 'string') return body
  if (!(body instanceof Uint8Array)) {
    throw refusal(
      'body',
      "pass the body as it arrived, as text or bytes, because parsed JSON doesn't preserve the bytes",
    )
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
  } catch {
    throw refusal('body', 'the body is not UTF-8')
  }
}

const KNOWN: Readonly<Record<WebhookEvent['type'], true>> = {
  'order.deposited': true,
  'order.expired': true,
  'order.delivering': true,
  'order.refunding': true,
  'order.delivered': true,
  'order.refunded': true,
  'balance.ending': true,
  'webhook.test': true,
}

/**
 * Reads a message. The signature is valid, so the service wrote the message. Therefore only the event's type has to be
 * checked.
 */
function readMessage(id: string, text: string): VerifiedWebhook {
  let event: unknown
  try {
    event = JSON.parse(text)
  } catch {
    throw refusal('body', 'the message is signed but not JSON')
  }
  const { type } = (event ?? {}) as { readonly type?: unknown }
  if (typeof type !== 'string') throw refusal('body', 'the message is signed but has no type')
  return { id, type, event: Object.hasOwn(KNOWN, type) ? (event as WebhookEvent) : undefined }
}
