import type { ChangeHub } from '../changes/change-hub.ts'
import { listenOn, type HintListener } from './listen.ts'
import type { Sql } from './sql.ts'

const CHANNEL = 'sotto_status'
/** Names of 64 digits with commas between them, below the 8,000 bytes that a notification takes. */
const NAMES_MAX = 100

/**
 * Passes names of changes on to the streams of all processes on the database. Returns at once; what comes
 * while one is under way goes out together after it. The names say nothing without an epoch's key.
 */
export function notifyProcesses(
  sql: Sql,
  failed: (error: unknown) => void,
): (names: readonly string[]) => void {
  const waiting: string[] = []
  let isRunning = false
  const run = async () => {
    isRunning = true
    try {
      while (waiting.length > 0) {
        const names = waiting.splice(0, NAMES_MAX)
        await sql.query('SELECT pg_notify($1, $2)', [CHANNEL, names.join(',')])
      }
    } finally {
      isRunning = false
    }
  }
  return (names) => {
    waiting.push(...names)
    if (!isRunning) run().catch(failed)
  }
}

/** Wakes this process' streams for changes that any process makes known. */
export function listenForStatuses(
  url: string,
  hub: ChangeHub,
  d: Parameters<typeof listenOn>[3],
): HintListener {
  const hear = (payload: string) => hub.notify(payload.split(','))
  return listenOn(url, CHANNEL, { hear, connected: hub.notifyAll }, d)
}
