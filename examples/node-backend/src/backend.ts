import { SottoApiError, type SottoClient } from '@sotto/sdk/server'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { passedOnCalls, type PassedOnCalls } from './passed-on-calls.ts'
import { receiveWebhook } from './receive-webhook.ts'
import type { TransferRecords } from './transfer-records.ts'

export interface BackendOptions {
  readonly service: SottoClient
  readonly records: TransferRecords
  /** Settings that the backend sends to the page: a node's URL, and the program that you chose beforehand. */
  readonly wallet: { readonly rpcUrl: string; readonly programId: string }
  /**
   * The secret `whsec_…`, which the service shows only once. Without it, the backend refuses every webhook delivery.
   */
  readonly webhookSecret: string | undefined
  /** The folder of the built page. */
  readonly pages: string
  /** The port to listen on. 0 selects any free port. */
  readonly port: number
}

export interface Backend {
  readonly url: string
  readonly stop: () => Promise<void>
}

interface Answer {
  readonly status: number
  readonly type: string
  readonly body: string | Buffer
}

const json = (status: number, body: unknown): Answer => ({
  ...{ status, type: 'application/json' },
  body: JSON.stringify(body),
})

const PAGES: Readonly<Record<string, readonly [file: string, type: string]>> = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/page.js': ['page.js', 'text/javascript; charset=utf-8'],
}
const BODY_MAX = 64 * 1_024

async function readBody(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of request as AsyncIterable<Buffer>) {
    length += part.length
    if (length > BODY_MAX) throw new RangeError('the body is too large')
    parts.push(part)
  }
  return Buffer.concat(parts).toString('utf8')
}

/** Passes the service's own code and `retry` on, because the page's `transfer` uses them to decide whether to retry. */
function refusal(error: unknown): Answer {
  if (!(error instanceof SottoApiError)) {
    return json(502, { message: 'the service cannot be reached' })
  }
  const { status, code, retry, message, min, max } = error
  return json(status, { code, retry, message, min, max })
}

async function call(calls: PassedOnCalls, path: string, body: string): Promise<Answer> {
  const passOn = calls[path]
  if (passOn === undefined) return json(404, { message: 'there is no such page' })
  try {
    return json(200, await passOn(JSON.parse(body) as never))
  } catch (error) {
    return refusal(error)
  }
}

/** Starts the backend. It serves the page's files, answers the page's calls, receives webhooks, and lists transfers. */
export async function startBackend(options: BackendOptions): Promise<Backend> {
  const { service, records, wallet, webhookSecret, pages } = options
  const calls = passedOnCalls(service, records)

  async function answer(request: IncomingMessage): Promise<Answer> {
    const path = request.url ?? '/'
    if (request.method === 'POST') {
      const body = await readBody(request)
      if (path !== '/webhooks') return call(calls, path, body)
      if (webhookSecret === undefined) return json(404, { message: 'there is no such page' })
      const headers = request.headers as Record<string, string>
      const status = await receiveWebhook(webhookSecret, service, records, { body, headers })
      return json(status, {})
    }
    if (path === '/config') return json(200, wallet)
    if (path === '/transfers') return json(200, records.list())
    const page = PAGES[path]
    if (page === undefined) return json(404, { message: 'there is no such page' })
    return { status: 200, type: page[1], body: await readFile(join(pages, page[0])) }
  }

  const server = createServer((request, response) => {
    void answer(request)
      .catch(() => json(500, { message: 'the backend failed' }))
      .then(({ status, type, body }) => {
        response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' })
        response.end(status === 204 ? undefined : body)
      })
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
