import { shownError } from './shown-error.ts'

const FATAL = 60

/**
 * The last log line of a process that ends with an error. It contains the error's kind and stack frames. The error's
 * message is omitted, because it may contain anything.
 */
export function lastWords(error: unknown, nowMs: number): string {
  const entry = { level: FATAL, time: nowMs, step: 'uncaught', error: shownError(error) }
  return `${JSON.stringify({ ...entry, msg: 'crashed' })}\n`
}
