import type { DestinationStream } from 'pino'

/** Where lines end up; takes them at once, before it returns. */
interface Sink {
  readonly write: (text: string) => unknown
}

/**
 * Writes the lines of one turn of the event loop together: a system call for each of a busy service's
 * lines costs as much as pricing a quote. Nothing waits longer than its turn, and a process that ends,
 * also by an error, writes what it still holds.
 */
export function gatheredLines(sink: Sink, atExit: (flush: () => void) => void): DestinationStream {
  let text = ''
  const flush = () => {
    const gathered = text
    text = ''
    if (gathered !== '') sink.write(gathered)
  }
  atExit(flush)
  return {
    write: (line) => {
      if (text === '') setImmediate(flush)
      text += line
    },
  }
}
