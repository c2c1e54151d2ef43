import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes Node pass on the requests that it would answer itself or ignore. They then go through the gate like all others
 * and get errors in the common form.
 */
export function routeEverything(server: Server): void {
  // By default Node silently drops headers after the first 2,000, which could include an idempotency key. The total
  // size of the headers is limited anyway.
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
