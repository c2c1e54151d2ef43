import { WORK_HINTS, type WorkHint } from '../../domain/work-hint.ts'
import { listenOn, type HintListener, type ListenDependencies } from './listen.ts'
import type { Sql } from './sql.ts'

export type { HintListener } from './listen.ts'

const CHANNEL = 'sotto_deposit_hint'

/**
 * Returns a function that asks the workers of all processes on the database to do a kind of work now. The function
 * returns immediately. While a hint is being sent, further hints wait, and equal hints are combined. Therefore even a
 * large number of hints causes only a few statements.
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
 * Calls `look` for each hint from any process. Hints are lost while there is no connection. So `look` is also called,
 * without a hint, whenever a connection is opened. If a process of another version sends an unknown hint, `look` is
 * called without a hint too. Workers also poll, so they don't depend on hints.
 */
export function listenForHints(
  url: string,
  look: (hint?: WorkHint) => void,
  d: ListenDependencies,
): HintListener {
  const hear = (payload: string) => look(WORK_HINTS.find((hint) => hint === payload))
  return listenOn(url, CHANNEL, { hear, connected: () => look() }, d)
}
