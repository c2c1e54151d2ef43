import type { DestinationStream } from 'pino'

/** The destination of lines, which writes them synchronously. */
interface Sink {
  readonly write: (text: string) => unknown
}

/**
 * Writes the lines of one turn of the event loop together: a system call for each of a busy service's
 * lines costs as much as pricing a quote. No line waits longer than its turn, and a process that ends, even because
 * of an error, writes the remaining lines.
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
