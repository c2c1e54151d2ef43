import pg from 'pg'
import type { Clock } from '../../ports/clock.ts'
import type { Sql } from './sql.ts'

const CHANNEL = 'sotto_deposit_hint'

/** How long a lost connection rests before another is tried; a worker looks by itself meanwhile. */
const RETRY_MS = 1_000

/**
 * Has the workers of all processes on the database look at the chain now. Returns at once; hints that
 * come while one is under way become one more, so that many cost no more than the database gives.
 */
export function hintWorkers(sql: Sql, failed: (error: unknown) => void): () => void {
  const state = { isRunning: false, isAsked: false }
  const run = async () => {
    state.isRunning = true
    try {
      while (state.isAsked) {
        state.isAsked = false
        await sql.query(`SELECT pg_notify($1, '')`, [CHANNEL])
      }
    } finally {
      state.isRunning = false
    }
  }
  return () => {
    state.isAsked = true
    if (!state.isRunning) run().catch(failed)
  }
}

/** Listens until closed. */
export interface HintListener {
  readonly close: () => Promise<void>
}

/**
 * Calls `look` for each hint, whatever process it comes from, and whenever a connection stands anew,
 * because hints of the time without one are lost. The connection is its own: a pool's would forget
 * what it listens for.
 */
export function listenForHints(
  url: string,
  look: () => void,
  d: { readonly clock: Clock; readonly failed: (error: unknown) => void },
): HintListener {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      await listen(url, look, signal).catch(d.failed)
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

/** Resolves when the signal aborts; throws where the connection fails. */
async function listen(url: string, look: () => void, signal: AbortSignal): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 })
  let stop = () => undefined as void
  const over = new Promise<void>((resolve, reject) => {
    stop = resolve
    client.on('error', reject)
    client.on('end', () => reject(new Error('the connection for hints ended')))
  })
  // It may fail before it is waited for.
  over.catch(() => undefined)
  signal.addEventListener('abort', stop)
  try {
    await client.connect()
    client.on('notification', look)
    await client.query(`LISTEN ${CHANNEL}`)
    look()
    if (!signal.aborted) await over
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}
