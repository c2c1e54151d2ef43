import pg from 'pg'
import type { Clock } from '../../ports/clock.ts'

/** Pause before a new connection replaces a lost one. */
const RETRY_MS = 1_000

/** Receives notifications until it is closed. */
export interface HintListener {
  readonly close: () => Promise<void>
}

interface Heard {
  /** Called with the payload of each notification from any process. */
  readonly hear: (payload: string) => void
  /**
   * Called for each new connection. Notifications are lost between connections, so the caller must check for changes.
   */
  readonly connected: () => void
}

/** Listens on a separate connection. A pooled connection would lose its subscriptions. */
export function listenOn(
  url: string,
  channel: string,
  heard: Heard,
  d: { readonly clock: Clock; readonly failed: (error: unknown) => void },
): HintListener {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await listen(url, channel, heard, signal).catch(d.failed)
      await d.clock.sleep(RETRY_MS, signal)
    }
  }
  const done = run()
  return {
    close: () => {
      stopping.abort()
      return done
    },
  }
}

/** Listens until the signal aborts. @throws Error if the connection fails. */
async function listen(
  url: string,
  channel: string,
  { hear, connected }: Heard,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  let stop = () => undefined as void
  const over = new Promise<void>((resolve, reject) => {
    stop = resolve
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection for hints ended')))
  })
  // The promise may fail before the code below awaits it. If nothing handled the failure, it would end the process.
  over.catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    await client.connect()
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    await client.query(`LISTEN ${channel}`)
    connected()
    if (!signal.aborted) await over
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}
