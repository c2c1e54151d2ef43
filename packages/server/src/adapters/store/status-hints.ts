import type { ChangeHub } from '../changes/change-hub.ts'
import { listenOn, type HintListener, type ListenDependencies } from './listen.ts'
import type { Sql } from './sql.ts'

const CHANNEL = 'sotto_status'
/**
 * Maximum number of names in a notification. A notification has at most 8,000 bytes, and a name takes 64 digits and a
 * comma.
 */
const NAMES_MAX = 100

/**
 * Sends the names of status changes to the streams of all processes on the database. Returns immediately. While one
 * notification is being sent, further names wait. Afterwards they are sent together. The names reveal nothing without
 * an epoch's key.
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

/** Wakes this process's streams when any process announces a status change. */
export function listenForStatuses(
  url: string,
  hub: ChangeHub,
  d: ListenDependencies,
): HintListener {
  const hear = (payload: string) => hub.notify(payload.split(','))
  return listenOn(url, CHANNEL, { hear, connected: hub.notifyAll }, d)
}
