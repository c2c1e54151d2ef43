import type { Clock } from '../../ports/clock.ts'
import { listenOn, type HintListener } from './listen.ts'
import type { Sql } from './sql.ts'

export type { HintListener } from './listen.ts'

const CHANNEL = 'sotto_deposit_hint'

/**
 * Makes the workers of all processes on the database check the chain now. Returns immediately. Hints that arrive while
 * another one is being sent are combined into a single one, so that many hints cost little.
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

/**
 * Calls `look` for each hint of any process. It also calls `look` whenever a connection is opened again, because hints
 * that were sent without a connection are lost. Workers don't depend on hints, because they also poll.
 */
export function listenForHints(
  url: string,
  look: () => void,
  d: { readonly clock: Clock; readonly failed: (error: unknown) => void },
): HintListener {
  return listenOn(url, CHANNEL, { hear: look, connected: look }, d)
}
