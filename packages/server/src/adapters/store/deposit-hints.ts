import type { Clock } from '../../ports/clock.ts'
import { listenOn, type HintListener } from './listen.ts'
import type { Sql } from './sql.ts'

export type { HintListener } from './listen.ts'

const CHANNEL = 'sotto_deposit_hint'

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

/**
 * Calls `look` for each hint, whatever process it comes from, and whenever a connection stands anew,
 * because hints of the time without one are lost; a worker looks by itself meanwhile.
 */
export function listenForHints(
  url: string,
  look: () => void,
  d: { readonly clock: Clock; readonly failed: (error: unknown) => void },
): HintListener {
  return listenOn(url, CHANNEL, { hear: look, connected: look }, d)
}
