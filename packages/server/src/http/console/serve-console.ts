import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../ports/clock.ts'
import type { Random } from '../../ports/random.ts'
import type { ServiceLog } from '../../ports/service-log.ts'
import { isAnonymityRange, type AnonymityRange } from '../../usecases/market/read-overview.ts'
import type { PageFiles } from '../pages/page-files.ts'
import { pagePolicy } from '../pages/page-policy.ts'
import { isSameOrigin } from '../pages/same-origin.ts'
import { ConsoleSessions } from './console-sessions.ts'

export interface ConsoleOptions {
  readonly files: PageFiles
  readonly token: string
  readonly clock: Clock
  readonly random: Random
  readonly log: Pick<ServiceLog, 'failed'>
  readonly readOverview: () => Promise<object>
  readonly readAnonymitySeries: (range: AnonymityRange) => Promise<object>
}

/** Answers a request to the console and returns true. Returns false for any other request. */
export type ConsoleHandler = (request: IncomingMessage, response: ServerResponse) => boolean

const ROOT = '/console'
const API = `${ROOT}/api/`
const BODY_BYTES_MAX = 4_096

interface Answer {
  readonly status: number
  readonly body: object
  readonly headers?: Readonly<Record<string, string>>
}

const refusal = (status: number, message: string, headers = {}): Answer => ({
  ...{ status, headers },
  body: { success: false, message },
})
const OUT = refusal(401, 'Log in with the operator’s token.')
const ELSEWHERE = refusal(403, 'Only the console’s own page may send this request.')

/** Serves the operator's console: a page, a login, and two documents that the page reads. The console is read-only. */
export function serveConsole(options: ConsoleOptions): ConsoleHandler {
  const policy = pagePolicy()
  const answer = consoleApi(options)
  return (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://console')
    if (pathname !== ROOT && !pathname.startsWith(`${ROOT}/`)) return false
    if (!pathname.startsWith(API)) {
      sendFile(options.files, pathname, request, response, policy)
      return true
    }
    void answer(request, pathname.slice(API.length), searchParams)
      .catch((error: unknown) => {
        options.log.failed('request', error)
        return refusal(503, 'The database or a node does not answer.')
      })
      .then(({ status, body, headers }) => {
        const type = { 'content-type': 'application/json', 'cache-control': 'no-store' }
        response.writeHead(status, { ...policy, ...type, ...headers }).end(JSON.stringify(body))
      })
    return true
  }
}

function sendFile(
  files: PageFiles,
  pathname: string,
  request: IncomingMessage,
  response: ServerResponse,
  policy: Readonly<Record<string, string>>,
): void {
  const file = files.get(pathname === ROOT ? 'index.html' : pathname.slice(ROOT.length + 1))
  if (file === undefined || request.method !== 'GET') {
    response.writeHead(404, policy).end()
    return
  }
  const headers = { ...policy, 'cache-control': 'no-cache', etag: file.tag }
  if (request.headers['if-none-match'] === file.tag) response.writeHead(304, headers).end()
  else response.writeHead(200, { ...headers, 'content-type': file.type }).end(file.bytes)
}

type Api = (request: IncomingMessage, name: string, query: URLSearchParams) => Promise<Answer>

function consoleApi({
  token,
  clock,
  random,
  readOverview,
  readAnonymitySeries,
}: ConsoleOptions): Api {
  const sessions = new ConsoleSessions(token, clock, random)

  // The number of wrong tokens isn't limited, because 256 random bits can't be guessed. Through a tunnel or a proxy,
  // all operators have the same address. With a limit, anyone who reaches the port could lock them out.
  async function logIn(request: IncomingMessage): Promise<Answer> {
    const sent = await readToken(request)
    const cookie = sent === undefined ? undefined : sessions.begin(sent)
    if (cookie !== undefined) {
      return { status: 200, body: { success: true }, headers: { 'set-cookie': cookie } }
    }
    return refusal(401, 'This is not the operator’s token.')
  }

  return async (request, name, query) => {
    const { method, headers } = request
    const { host, origin, cookie } = headers
    const fetchSite = String(headers['sec-fetch-site'] ?? '') || undefined
    if (!isSameOrigin({ host, origin, fetchSite }, method !== 'GET')) return ELSEWHERE
    if (name === 'session' && method === 'POST') return logIn(request)
    if (name === 'session' && method === 'DELETE') {
      return {
        status: 200,
        body: { success: true },
        headers: { 'set-cookie': sessions.end(cookie) },
      }
    }
    if (!sessions.isOpen(cookie)) return OUT
    if (method !== 'GET') return refusal(405, 'The console can only read.')
    if (name === 'overview') return { status: 200, body: await readOverview() }
    const range = query.get('range') ?? '6h'
    if (name === 'crowds' && isAnonymityRange(range))
      return { status: 200, body: await readAnonymitySeries(range) }
    return refusal(404, 'There is no such document.')
  }
}

/** Reads the token of a login. Returns undefined if the body is anything else, or is cut off. */
async function readToken(request: IncomingMessage): Promise<string | undefined> {
  const parts: Buffer[] = []
  let length = 0
  try {
    for await (const part of request as AsyncIterable<Buffer>) {
      length += part.length
      if (length > BODY_BYTES_MAX) return undefined
      parts.push(part)
    }
    const { token } = JSON.parse(Buffer.concat(parts).toString('utf8')) as { token?: unknown }
    return typeof token === 'string' ? token : undefined
  } catch {
    return undefined
  }
}
