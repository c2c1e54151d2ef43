import { WORK_HINTS, type WorkHint } from '../../domain/work-hint.ts'
import type { Clock } from '../../ports/clock.ts'
import { listenOn, type HintListener } from './listen.ts'
import type { Sql } from './sql.ts'

export type { HintListener } from './listen.ts'

const CHANNEL = 'sotto_deposit_hint'

/**
 * Returns a function that makes the workers of all processes on the database look for a kind of work now. The function
 * returns immediately. While a hint is being sent, further hints wait, and equal hints among them are combined. Many
 * hints therefore cost little.
 */
export function hintWorkers(sql: Sql, failed: (error: unknown) => void): (hint: WorkHint) => void {
  const asked = new Set<WorkHint>()
  let isRunning = false
  const run = async () => {
    isRunning = true
    try {
      for (let [hint] = asked; hint !== undefined; [hint] = asked) {
        asked.delete(hint)
        await sql.query('SELECT pg_notify($1, $2)', [CHANNEL, hint])
      }
    } finally {
      isRunning = false
    }
  }
  return (hint) => {
    asked.add(hint)
    if (!isRunning) run().catch(failed)
  }
}

/**
 * Calls `look` for each hint from any process. It also calls `look` without a hint whenever a connection is opened
 * again, because hints are lost while there is no connection. Workers don't depend on hints, because they also poll. A
 * process of a different version may send an unknown hint. In that case, too, `look` is called without a hint.
 */
export function listenForHints(
  url: string,
  look: (hint?: WorkHint) => void,
  d: { readonly clock: Clock; readonly failed: (error: unknown) => void },
): HintListener {
  const hear = (payload: string) => look(WORK_HINTS.find((hint) => hint === payload))
  return listenOn(url, CHANNEL, { hear, connected: () => look() }, d)
}
