import {
  createDefaultRpcTransport,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
  type RpcTransport,
} from '@solana/kit'
import { Agent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { text } from 'node:stream/consumers'
import { wholeNumber } from '../../domain/whole-number.ts'
import { parseIntegers } from '../fast/parse-integers.ts'

/** An idle connection is closed after this time, because many servers close idle connections after a little more. */
const IDLE_MS = 4_000
const REDIRECTS_FROM = 300
const ERRORS_FROM = 400

type Request = Parameters<RpcTransport>[0]

/**
 * Sends requests to one node. It does the same as the client library's transport, with a third of its processor time:
 * the library uses `fetch`, several abort signals for each request, and a slow parser. Settling one order takes some
 * twenty requests. A redirected request goes through the library's transport, because `fetch` follows redirects.
 *
 * The transport throws what the library's throws: SolanaError for an answer with a status other than 2xx, the signal's
 * reason for a request that was ended, and the system's error for a broken connection.
 */
export function nodeTransport(url: string): RpcTransport {
  const redirected = createDefaultRpcTransport({ url })
  const ask = connectionsTo(url)
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
    return parseIntegers(await bodyOf(response, asked.signal))
  }
  return transport as RpcTransport
}

/** Resolves with the answer's head. The connections are kept for further requests. */
function connectionsTo(url: string): (asked: Request) => Promise<IncomingMessage> {
  const isSecure = url.startsWith('https:')
  const options = { keepAlive: true, timeout: IDLE_MS }
  const agent = isSecure ? new SecureAgent(options) : new Agent(options)
  const send = isSecure ? requestSecure : requestPlain
  return ({ payload, signal }) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted()
      const body = JSON.stringify(payload, withIntegers)
      const headers = {
        accept: 'application/json',
        'accept-encoding': 'br,gzip,deflate',
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
      }
      const sent = send(url, { method: 'POST', headers, agent, ...(signal && { signal }) }, resolve)
      sent.on('error', (error) => reject(signal?.aborted === true ? reasonOf(signal) : error))
      sent.end(body)
    })
}

const reasonOf = ({ reason }: AbortSignal): Error =>
  reason instanceof Error ? reason : new Error('the request was ended', { cause: reason })

/** JSON has no bigints. The requests' own numbers, such as slots, are all small enough for a number. */
const withIntegers = (_: string, value: unknown): unknown =>
  typeof value === 'bigint' ? wholeNumber(value) : value

async function bodyOf(response: IncomingMessage, signal: AbortSignal | undefined): Promise<string> {
  try {
    return await text(unpacked(response))
  } catch (error) {
    throw signal?.aborted === true ? reasonOf(signal) : error
  }
}

function unpacked(response: IncomingMessage): NodeJS.ReadableStream {
  const through = {
    br: createBrotliDecompress,
    gzip: createGunzip,
    deflate: createInflate,
  }[response.headers['content-encoding'] ?? '']
  if (through === undefined) return response
  const stream = through()
  response.on('error', (error) => stream.destroy(error))
  return response.pipe(stream)
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
