import {
  createDefaultRpcTransport,
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

/** An idle connection is closed after this time, because many servers close idle connections after a little more. */
const IDLE_MS = 4_000
const REDIRECTS_FROM = 300
const ERRORS_FROM = 400
/** The encodings that requests ask for, each with its decoder. */
const UNPACKERS = new Map([
  ['br', createBrotliDecompress],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
])
/**
 * Most bytes of an unpacked answer, twice as many as a hundred Tree accounts have. Without a limit, a small packed answer
 * could fill the memory.
 */
const ANSWER_BYTES_MAX = 33_554_432
/** The limit for methods that list all accounts of a program. */
const LISTING_BYTES_MAX = 268_435_456
const LISTING_METHODS: ReadonlySet<unknown> = new Set(['getProgramAccounts'])

type Request = Parameters<RpcTransport>[0]

/**
 * Sends requests to one node. It does the same as the client library's transport, with a third of its processor time:
 * the library uses `fetch`, several abort signals for each request, and a slow parser. Settling one order takes some
 * twenty requests. A redirected request goes through the library's transport, because `fetch` follows redirects.
 *
 * The transport throws what the library's throws: SolanaError for an answer with a status other than 2xx, the signal's
 * reason for a request that was ended, and the system's error for a broken connection. It also throws RemoteError for
 * an answer that is too large or has an encoding that it didn't ask for.
 */
export function nodeTransport(url: string): RpcTransport {
  const redirected = createDefaultRpcTransport({ url: withoutCredentials(url) })
  const ask = connectionsTo(new URL(url))
  const transport = async (asked: Request): Promise<unknown> => {
    const response = await ask(asked)
    const { statusCode = 0 } = response
    if (statusCode >= REDIRECTS_FROM && statusCode < ERRORS_FROM) {
      response.resume()
      return redirected(asked)
    }
    if (statusCode < 200 || statusCode >= REDIRECTS_FROM) {
      response.resume()
      throw refusalOf(response)
    }
    return parseIntegers(await bodyOf(response, asked))
  }
  return transport as RpcTransport
}

/** `fetch` refuses credentials in a URL by an error that quotes them. */
function withoutCredentials(url: string): string {
  const plain = new URL(url)
  plain.username = ''
  plain.password = ''
  return plain.href
}

/** Resolves with the answer's head. The connections are kept for further requests. */
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
      // A switch to another protocol ends the connection with neither an answer nor an error. Every request ends with
      // this event, and the error isn't made for the others, because its stack takes as long as reading a small answer.
      sent.on('close', () => {
        if (!isAnswered) fail(new RemoteError('rpc', 'no_answer'))
      })
      sent.end(body)
    })
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('the request was ended', { cause: reason })

/** JSON has no bigints. The requests' own numbers, such as slots, are all small enough for a number. */
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

/** @throws RemoteError if the answer has an encoding that the request didn't ask for. */
function unpacked(response: IncomingMessage): AsyncIterable<Uint8Array> {
  const encoding = response.headers['content-encoding']?.toLowerCase() ?? 'identity'
  if (encoding === 'identity') return response
  const unpack = UNPACKERS.get(encoding)
  if (unpack === undefined) {
    response.destroy()
    throw new RemoteError('rpc', 'encoding')
  }
  // If one end of the pipeline closes, so does the other. The reader gets the error.
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
