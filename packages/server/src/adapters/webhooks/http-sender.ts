import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIPv6, type LookupFunction } from 'node:net'
import type { SendResult, WebhookMessage, WebhookSender } from '../../ports/webhook-sender.ts'
import {
  checkedAddresses,
  parseTarget,
  RefusedTarget,
  nameResolver,
  UnresolvedTarget,
  type Resolve,
} from './checked-target.ts'
import { messageHeaders } from './sign-message.ts'

/**
 * Time limit of a message in milliseconds, from the DNS query to the last byte of the answer. The check of a new
 * endpoint has the same limit.
 */
const SENDING_MS = 10_000
/** Maximum number of bytes to read from an answer. Only the answer's status is used. */
const ANSWER_BYTES_MAX = 16_384
/**
 * Maximum number of informational answers (status 1xx) before the answer. Without a limit, a receiver could keep this
 * process busy for as long as a message may take.
 */
const INFORMATION_MAX = 10

export interface HttpSenderOptions {
  /** For development: endpoints on this machine are allowed, even with http. */
  readonly allowsLoopback: boolean
  readonly resolve?: Resolve
  readonly timeoutMs?: number
}

/** Sends messages by HTTP. Each message has its own connection, to an address that was checked for this message. */
export function httpSender(options: HttpSenderOptions): WebhookSender {
  const { allowsLoopback, resolve = nameResolver(), timeoutMs = SENDING_MS } = options
  const policy = { allowsLoopback, resolve }
  return {
    refusalOf: async (text) => {
      try {
        await checkedAddresses(parseTarget(text), policy, AbortSignal.timeout(timeoutMs))
        return undefined
      } catch (error) {
        if (error instanceof RefusedTarget) return error.message
        throw error
      }
    },
    send: async (message) => {
      const signal = AbortSignal.timeout(timeoutMs)
      try {
        const url = parseTarget(message.url)
        const addresses = await checkedAddresses(url, policy, signal)
        // Each address gets an equal share of the time. Node's own limit is a quarter of a second: a connection to a
        // distant receiver, or a short stall of this process, would exceed it.
        const connectMs = Math.ceil(timeoutMs / addresses.length)
        return await post(url, { addresses, connectMs }, message, signal)
      } catch (error) {
        if (signal.aborted) return { kind: 'timeout' }
        const isRefused = error instanceof RefusedTarget && !(error instanceof UnresolvedTarget)
        return { kind: isRefused ? 'refused' : 'unreachable' }
      }
    },
  }
}

/** Creates a lookup function that returns only the checked addresses. So the name isn't resolved a second time. */
function pinned(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }))
  return (_hostname, options, done) => {
    const [first] = all
    if (options.all === true) done(null, all)
    else if (first !== undefined) done(null, first.address, first.family)
  }
}

/**
 * Posts a message and reads the status of the answer. A redirect isn't followed, and its status counts like any other
 * status.
 */
function post(
  url: URL,
  { addresses, connectMs }: { readonly addresses: readonly string[]; readonly connectMs: number },
  message: WebhookMessage,
  signal: AbortSignal,
): Promise<SendResult> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  const options = {
    ...{ method: 'POST', headers: messageHeaders(message), agent: false, signal },
    ...{ lookup: pinned(addresses), autoSelectFamilyAttemptTimeout: connectMs },
  }
  return new Promise((resolve, reject) => {
    const sending = request(url, options)
    let informed = 0
    sending.on('information', () => {
      informed += 1
      if (informed > INFORMATION_MAX) sending.destroy()
    })
    sending.on('error', reject)
    // `close` is emitted even if there was no answer. Without this listener, the promise would stay pending.
    sending.on('close', () => reject(new Error('the endpoint did not answer')))
    // If the receiver switches protocols unasked, `upgrade` is emitted instead of an answer.
    sending.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ kind: 'answered', status: response.statusCode ?? 0 })
    })
    sending.on('response', (response) => {
      const answered = { kind: 'answered', status: response.statusCode ?? 0 } as const
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        bytes += chunk.length
        if (bytes <= ANSWER_BYTES_MAX) return
        resolve(answered)
        response.destroy()
      })
      response.on('end', () => resolve(answered))
      response.on('error', reject)
      response.on('close', () => reject(new Error('the answer was cut off')))
    })
    sending.end(message.body)
  })
}
