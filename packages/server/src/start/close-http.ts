import type { FastifyInstance } from 'fastify'
import type { Draining } from '../http/draining.ts'
import type { Clock } from '../ports/clock.ts'

/** Longer than any answer takes; a client that sends slower than this loses its connection. */
const CLOSING_MS = 10_000
/** How often connections are ended whose last answer has left meanwhile. */
const IDLE_MS = 50

/** Stops accepting, answers what is under way, and cuts what isn't done after ten seconds. */
export async function closeHttp(server: FastifyInstance, clock: Clock): Promise<void> {
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
 * Node ends the connections that are idle when it stops to listen. One whose request was under way then
 * would be kept for more, as its answer says, and hold up the end for as long as it is kept.
 */
async function cutConnections(
  { server }: FastifyInstance,
  clock: Clock,
  closed: AbortSignal,
): Promise<void> {
  for (let waitedMs = 0; waitedMs < CLOSING_MS; waitedMs += IDLE_MS) {
    await clock.sleep(IDLE_MS, closed)
    if (closed.aborted) return
    if (!server.listening) server.closeIdleConnections()
  }
  server.closeAllConnections()
}

/**
 * Says at `/readyz` that the process is to stop, and goes on answering for as long as balancers take to
 * notice: whoever stops to listen at once refuses what they send until then.
 */
export async function drain(draining: Draining, clock: Clock, forMs: number): Promise<void> {
  draining.begin()
  if (forMs > 0) await clock.sleep(forMs)
}
