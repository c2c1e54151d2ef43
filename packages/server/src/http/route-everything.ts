import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Clock } from '../ports/clock.ts'

/** Longest life, in milliseconds, of a connection after its CONNECT request. The response takes far less time. */
const CONNECT_MS = 15_000

/** The open connections of CONNECT requests. */
const CONNECTED = new WeakMap<Server, Set<Socket>>()

/**
 * Makes Node pass on requests that Node would otherwise answer or ignore. These requests then go through the gate like
 * all other requests, and their errors have the common form.
 */
export function routeEverything(server: Server, clock: Clock): void {
  // By default Node silently drops all headers after the first 2,000. A dropped header could be the idempotency key.
  // The total size of the headers is limited separately.
  server.maxHeadersCount = 0
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    server.emit('request', request, response)
  })
  const connected = new Set<Socket>()
  CONNECTED.set(server, connected)
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    bound(socket, connected, clock)
    try {
      const response = new ServerResponse(request)
      response.shouldKeepAlive = false
      response.on('finish', () => socket.destroySoon())
      response.assignSocket(socket)
      server.emit('request', request, response)
    } catch {
      // The response to an earlier request of this connection is under way, and only one response can be written at a
      // time. An error in this listener would end the process, so only the connection ends.
      socket.destroy()
    }
  })
}

/**
 * Ends the connection of a CONNECT request after `CONNECT_MS`, whatever its client does. Node's own time limits don't
 * apply to such a connection.
 */
function bound(socket: Socket, connected: Set<Socket>, clock: Clock): void {
  const closed = new AbortController()
  connected.add(socket)
  socket.once('close', () => {
    connected.delete(socket)
    closed.abort()
  })
  socket.on('error', () => socket.destroy())
  // A paused connection wouldn't notice that its client has closed it.
  socket.resume()
  void clock.sleep(CONNECT_MS, closed.signal).then(() => socket.destroy())
}

/** Closes every connection of the server, including those of CONNECT requests, which Node doesn't close. */
export function closeConnections(server: Server): void {
  server.closeAllConnections()
  for (const socket of CONNECTED.get(server) ?? []) socket.destroy()
}
