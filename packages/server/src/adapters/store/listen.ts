import pg from 'pg'
import type { Clock } from '../../ports/clock.ts'
import { assertWritable } from './assert-writable.ts'

/**
 * First and longest pause before a new connection replaces a lost connection. Each further failure doubles the pause.
 * While a database restarts, a listener therefore fails only a few times.
 */
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 30_000
/** Pause between two checks that the connection's server answers and accepts writes. */
const CHECK_MS = 30_000
/** Time limit of a check. */
const ANSWER_WITHIN_MS = 10_000

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

export interface ListenDependencies {
  readonly clock: Clock
  readonly failed: (error: unknown) => void
  /** Pause between two checks of the connection, in milliseconds. */
  readonly checkMs?: number
}

/** Listens on a separate connection. A pooled connection would lose its subscriptions. */
export function listenOn(
  url: string,
  channel: string,
  heard: Heard,
  d: ListenDependencies,
): HintListener {
  const stopping = new AbortController()
  const { signal } = stopping
  let failures = 0
  const connected = () => {
    failures = 0
    heard.connected()
  }
  const failed = (error: unknown) => {
    failures += 1
    d.failed(error)
  }
  const run = async () => {
    while (!signal.aborted) {
      await listen(url, channel, { hear: heard.hear, connected }, d, signal).catch(failed)
      const pauseMs = RETRY_FIRST_MS * 2 ** Math.min(Math.max(failures - 1, 0), 16)
      await d.clock.sleep(Math.min(pauseMs, RETRY_MAX_MS), signal)
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

/**
 * Listens until the signal aborts. @throws Error if the connection fails, or if its server is read-only. No process
 * sends notifications through a read-only server.
 */
async function listen(
  url: string,
  channel: string,
  { hear, connected }: Heard,
  { clock, checkMs = CHECK_MS }: ListenDependencies,
  signal: AbortSignal,
): Promise<void> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 5_000,
    query_timeout: ANSWER_WITHIN_MS,
    // With keepAlive, the connection fails if its host disappeared without closing it.
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  })
  const over = new AbortController()
  let failure: Error | undefined
  const end = (error: Error) => {
    failure ??= error
    over.abort()
  }
  const stop = () => over.abort()
  client.on('error', end)
  client.on('end', () => end(new Error('the connection for hints ended')))
  signal.addEventListener('abort', stop)
  try {
    await client.connect()
    await assertWritable(client)
    client.on('notification', ({ payload }) => hear(payload ?? ''))
    await client.query(`LISTEN ${channel}`)
    connected()
    if (signal.aborted) return
    while (!over.signal.aborted) {
      await clock.sleep(checkMs, over.signal)
      if (!over.signal.aborted) await assertWritable(client)
    }
    if (failure !== undefined && !signal.aborted) throw failure
  } finally {
    signal.removeEventListener('abort', stop)
    await client.end().catch(() => undefined)
  }
}
