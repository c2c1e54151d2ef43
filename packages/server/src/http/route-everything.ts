import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Makes Node pass on requests that Node would otherwise answer or ignore. These requests then go through the gate like
 * all others, and get errors in the common form.
 */
export function routeEverything(server: Server): void {
  // By default Node silently drops all headers after the first 2,000. A dropped header could be the idempotency key.
  // The total size of the headers is limited separately.
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
