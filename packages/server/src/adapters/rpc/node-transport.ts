import {
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  type RpcTransport,
} from '@solana/kit'
import { Agent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { pipeline } from 'node:stream'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { wholeNumber } from '../../domain/whole-number.ts'
import { parseIntegers } from '../fast/parse-integers.ts'
import { readWithin } from '../remote/read-within.ts'
import { RemoteError } from '../remote/remote-error.ts'

/** An idle connection is closed after this time. Many servers close idle connections a little later. */
const IDLE_MS = 4_000
const ERRORS_FROM = 300
/** The redirects that keep a request's method. Any other redirect changes the request to a request without a body. */
const REDIRECTS: ReadonlySet<number | undefined> = new Set([307, 308])
const REDIRECTS_MAX = 5
/** The encodings that requests ask for, with their decoders. */
const UNPACKERS = new Map([
  ['br', createBrotliDecompress],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
])
/**
 * Maximum number of bytes of a decompressed answer: twice the size of a hundred Tree accounts. Without this limit, a
 * small compressed answer could fill the memory.
 */
const ANSWER_BYTES_MAX = 33_554_432
/** Maximum number of bytes for the methods that list all accounts of a program. */
const LISTING_BYTES_MAX = 268_435_456
const LISTING_METHODS: ReadonlySet<unknown> = new Set(['getProgramAccounts'])

type Request = Parameters<RpcTransport>[0]

/**
 * Sends requests to one node. This transport behaves like the client library's transport, but takes a third of the
 * processor time. The library uses `fetch`, several abort signals for each request, and a slow parser. Settling one
 * order takes about twenty requests, so their processor time matters. Redirects to other hosts aren't followed, because
 * a node could direct requests to machines that only this machine can reach.
 *
 * The transport throws the same errors as the library's transport:
 * - SolanaError for an answer with a status other than 2xx
 * - the signal's reason if the signal ended the request
 * - the system's error for a broken connection
 *
 * It also throws RemoteError for an answer that is too large or has an encoding that the request didn't ask for.
 */
export function nodeTransport(url: string): RpcTransport {
  const node = new URL(url)
  const ask = connectionsTo(node)
  /** The URL to which the node most recently redirected a request, and the connections to this URL. */
  let moved = { href: node.href, ask }

  async function askFollowing(asked: Request): Promise<IncomingMessage> {
    let response = await ask(asked)
    for (let [at, left] = [node, REDIRECTS_MAX]; left > 0; left -= 1) {
      const to = redirectOf(at, response)
      if (to === undefined) break
      response.resume()
      if (moved.href !== to.href) moved = { href: to.href, ask: connectionsTo(to) }
      response = await moved.ask(asked)
      at = to
    }
    return response
  }

  const transport = async (asked: Request): Promise<unknown> => {
    const response = await askFollowing(asked)
    const { statusCode = 0 } = response
    if (statusCode < 200 || statusCode >= ERRORS_FROM) {
      response.resume()
      throw refusalOf(response)
    }
    return parseIntegers(await bodyOf(response, asked))
  }
  return transport as RpcTransport
}

/**
 * Returns the URL at which to repeat a request. Returns undefined if the answer isn't a redirect, or if the redirect
 * must not be followed.
 */
function redirectOf(from: URL, { statusCode, headers }: IncomingMessage): URL | undefined {
  const { location } = headers
  if (!REDIRECTS.has(statusCode) || location === undefined) return undefined
  if (!URL.canParse(location, from.href)) return undefined
  const to = new URL(location, from)
  to.username = from.username
  to.password = from.password
  const isSecured = from.protocol === 'http:' && to.protocol === 'https:'
  const isSame = isSecured ? to.hostname === from.hostname : to.origin === from.origin
  return isSame ? to : undefined
}

/**
 * Returns a function that sends a request to the URL and resolves with the head of the answer. Connections are reused.
 */
function connectionsTo(url: URL): (asked: Request) => Promise<IncomingMessage> {
  const isSecure = url.protocol === 'https:'
  const options = { keepAlive: true, timeout: IDLE_MS }
  const agent = isSecure ? new SecureAgent(options) : new Agent(options)
  const send = isSecure ? requestSecure : requestPlain
  return ({ payload, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const body = JSON.stringify(payload, withIntegers)
      const headers = {
        accept: 'application/json',
        'accept-encoding': 'br,gzip',
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      }
      let isAnswered = false
      const answered = (response: IncomingMessage) => {
        isAnswered = true
        resolve(response)
      }
      const sent = send(
        url,
        { method: 'POST', headers, agent, ...(signal && { signal }) },
        answered,
      )
      const fail = (error: Error) => reject(signal?.aborted === true ? reasonOf(signal) : error)
      sent.on('error', fail)
      // If the node switches to another protocol, this event is the only one: there is no answer and no error. The
      // event also follows every answered request. Capturing the stack of an error takes as long as reading a small
      // answer, so the error is created only for an unanswered request.
      sent.on('close', () => {
        if (!isAnswered) fail(new RemoteError('rpc', 'no_answer'))
      })
      sent.end(body)
    })
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('the request was ended', { cause: reason })

/** JSON has no bigints. The integers in requests are small, for example slots, so they are exact as numbers. */
const withIntegers = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? wholeNumber(value) : value

async function bodyOf(response: IncomingMessage, { payload, signal }: Request): Promise<string> {
  const { method } = payload as { readonly method?: unknown }
  const bytesMax = LISTING_METHODS.has(method) ? LISTING_BYTES_MAX : ANSWER_BYTES_MAX
  try {
    return await readWithin('rpc', unpacked(response), bytesMax)
  } catch (error) {
    throw signal?.aborted === true ? reasonOf(signal) : error
  }
}

/**
 * Returns the decompressed body.
 *
 * @throws RemoteError if the answer has an encoding that the request didn't ask for.
 */
function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  const unpack = UNPACKERS.get(encoding)
  if (unpack === undefined) {
    response.destroy()
    throw new RemoteError('rpc', 'encoding')
  }
  // If one end of the pipeline closes, `pipeline` closes the other end. The reader of the result gets the error.
  return pipeline(response, unpack(), () => undefined)
}

function refusalOf({ headers, statusCode = 0, statusMessage = '' }: IncomingMessage): SolanaError {
  const shown = new Headers()
  for (const [name, value] of Object.entries(headers)) {
    for (const one of [value ?? []].flat()) shown.append(name, one)
  }
  return new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    headers: shown,
    message: statusMessage,
    statusCode,
  })
}
