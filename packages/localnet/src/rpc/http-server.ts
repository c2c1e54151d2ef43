import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { Dispatcher, RpcReply } from './dispatch.ts'

/** Validators accept 50 KiB. One megabyte leaves room for large batches. */
const MAX_BODY_BYTES = 1 << 20

/** Lets browsers call a local chain, as they can call a test validator. */
const CORS = {
  'access-control-allow-origin': '*',
  'access-control-allow-methods': 'POST, GET, OPTIONS',
  'access-control-allow-headers': '*',
}

/** Serves JSON-RPC over POST, and `GET /health`. */
export function createRpcServer(dispatcher: Dispatcher): Server {
  return createServer((request, response) => {
    serve(request, dispatcher).then(
      (reply) => send(response, reply),
      () => response.destroy(),
    )
  })
}

async function serve(request: IncomingMessage, dispatcher: Dispatcher): Promise<RpcReply> {
  if (request.method === 'OPTIONS') return { status: 204, body: '' }
  if (request.method === 'GET' && request.url === '/health') return { status: 200, body: 'ok' }
  if (request.method !== 'POST') return { status: 405, body: 'Use POST with a JSON-RPC request.\n' }
  const body = await readBody(request)
  if (body === null) return { status: 413, body: 'The request is too large.\n' }
  return dispatcher.reply(body)
}

async function readBody(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return bytes > MAX_BODY_BYTES ? null : Buffer.concat(chunks).toString('utf8')
}

function send(response: ServerResponse, reply: RpcReply): void {
  const isJson = reply.status === 200 && reply.body !== 'ok'
  response.writeHead(reply.status, {
    ...CORS,
    'content-type': isJson ? 'application/json; charset=utf-8' : 'text/plain; charset=utf-8',
  })
  response.end(reply.body)
}
