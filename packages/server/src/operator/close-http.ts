import type { FastifyInstance } from 'fastify'
import type { Clock } from '../ports/clock.ts'

/** Longer than any answer takes; a client that sends slower than this loses its connection. */
const CLOSING_MS = 10_000

/** Stops accepting, answers what is under way, and cuts what isn't done after ten seconds. */
export async function closeHttp(server: FastifyInstance, clock: Clock): Promise<void> {
  const closed = new AbortController()
  const cutting = clock.sleep(CLOSING_MS, closed.signal).then(() => {
    if (!closed.signal.aborted) server.server.closeAllConnections()
  })
  try {
    await server.close()
  } finally {
    closed.abort()
    await cutting
  }
}
