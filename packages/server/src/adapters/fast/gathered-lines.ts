import type { DestinationStream } from 'pino'

/** A destination that writes each text before it returns. */
interface Sink {
  readonly write: (text: string) => unknown
}

/**
 * Writes the lines of one turn of the event loop together: a system call for each line would cost a busy service as
 * much as pricing a quote. A line waits at most until the end of its turn. A process that ends, even because of an
 * error, writes the remaining lines first.
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
