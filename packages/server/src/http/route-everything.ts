import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * Sends what Node would answer by itself, or not at all, the way of all requests: through the gate and
 * into the one shape of errors.
 */
export function routeEverything(server: Server): void {
  // Beyond its usual 2,000 Node drops headers silently, an idempotency key as well as any other. Their
  // bytes are bounded anyway.
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
