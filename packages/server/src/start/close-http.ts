import type { Server } from 'node:http'
import { promisify } from 'node:util'
import type { Draining } from '../http/draining.ts'
import { closeConnections } from '../http/route-everything.ts'
import type { Clock } from '../ports/clock.ts'

/**
 * Milliseconds within which open requests must end at shutdown. A request needs less time, unless its client is slow. A
 * connection that is still open after this time is closed.
 */
const CLOSING_MS = 10_000
/** Interval at which connections are closed if their last response has been sent. */
const IDLE_MS = 50

interface Closable {
  readonly server: Server
  /** Resolves when the last connection is closed. */
  readonly close: () => Promise<unknown>
}

/** The form of a plain server that `closeHttp` accepts. The framework's servers have this form already. */
export const closable = (server: Server): Closable => ({
  server,
  close: promisify(server.close.bind(server)),
})

/** Stops accepting connections, answers open requests, and closes the remaining connections after ten seconds. */
export async function closeHttp(server: Closable, clock: Clock): Promise<void> {
  const closed = new AbortController()
  const cutting = cutConnections(server, clock, closed.signal)
  try {
    await server.close()
  } finally {
    closed.abort()
    await cutting
  }
}

/**
 * Closes each connection once its last response is sent. When Node stops listening, it closes only the connections that
 * are idle at that time. Without this function, a connection with an open request would stay open after its response
 * and delay the shutdown.
 */
async function cutConnections(
  { server }: Closable,
  clock: Clock,
  closed: AbortSignal,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < CLOSING_MS; waitedMs += IDLE_MS) {
    await clock.sleep(IDLE_MS, closed)
    if (closed.aborted) return
    if (!server.listening) server.closeIdleConnections()
  }
  closeConnections(server)
}

/**
 * Makes `/readyz` report that the process isn't ready, and keeps responding until load balancers have noticed. If the
 * process stopped listening immediately, it would refuse the requests that load balancers still send.
 */
export async function drain(draining: Draining, clock: Clock, forMs: number): Promise<void> {
  draining.begin()
  if (forMs > 0) await clock.sleep(forMs)
}
