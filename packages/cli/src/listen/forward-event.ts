import { createHmac } from 'node:crypto'
import { nowMs, sleep } from '../clock.ts'
import { CliError } from '../cli-error.ts'
import { EXIT } from '../exit-codes.ts'
import type { OrderEvent } from './order-event.ts'

const ATTEMPTS = 3
const PAUSE_MS = 500
const TIMEOUT_MS = 10_000
const SECRET = /^whsec_([A-Za-z0-9+/]+={0,2})$/

/** The bytes of a secret in the format of Standard Webhooks. @throws CliError. */
export function secretBytes(secret: string): Buffer {
  const [, base64] = SECRET.exec(secret) ?? []
  if (base64 !== undefined) return Buffer.from(base64, 'base64')
  throw new CliError(
    EXIT.config,
    'SECRET_INVALID',
    'SOTTO_WEBHOOK_SECRET is not a webhook secret',
    'give whsec_ followed by base64, or leave it empty for unsigned requests',
  )
}

/** The headers of a Standard Webhooks message. If there is a secret, they contain a signature. */
function webhookHeaders(
  id: string,
  seconds: number,
  body: string,
  secret: Buffer | undefined,
): Record<string, string> {
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': `${seconds}`,
  }
  if (secret === undefined) return headers
  const signature = createHmac('sha256', secret).update(`${id}.${seconds}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}

/** Posts an event to a local receiver. Returns the status of the response, or the reason why there was no response. */
export async function forwardEvent(
  url: string,
  event: OrderEvent,
  secret: Buffer | undefined,
  signal: AbortSignal,
): Promise<number | string> {
  const { id, ...message } = event
  const body = JSON.stringify(message)
  let answer: number | string = 'not sent'
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (attempt > 0) await sleep(PAUSE_MS * 2 ** attempt, signal)
    const headers = webhookHeaders(id, Math.floor(nowMs() / 1_000), body, secret)
    answer = await post(url, headers, body, signal)
    if (typeof answer === 'number' && answer < 500) return answer
    signal.throwIfAborted()
  }
  return answer
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: string,
  stop: AbortSignal,
): Promise<number | string> {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(TIMEOUT_MS)])
  try {
    // Following a redirect would send the event to a URL that the user didn't specify.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
