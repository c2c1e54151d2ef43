import { shownError } from './shown-error.ts'

const FATAL = 60

/** The line of a process that an error ends: its kind and places. Node would print the message, which may hold anything. */
export function lastWords(error: unknown, nowMs: number): string {
  const entry = { level: FATAL, time: nowMs, step: 'uncaught', error: shownError(error) }
  return `${JSON.stringify({ ...entry, msg: 'crashed' })}\n`
}
