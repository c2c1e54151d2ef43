import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Routes requests that Node would answer itself, or not at all, like all others: through the gate and with the
 * common error shape.
 */
export function routeEverything(server: Server): void {
  // By default Node silently drops headers after the first 2,000, which could include an idempotency key. Their
  // total size is bounded anyway.
  server.maxHeadersCount = 0
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    const response = new ServerResponse(request)
    response.shouldKeepAlive = false
    socket.on('error', () => socket.destroy())
    response.on('finish', () => socket.end())
    response.assignSocket(socket)
    server.emit('request', request, response)
  })
}
