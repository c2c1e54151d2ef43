import type { DestinationStream } from 'pino'

/** A destination with synchronous writing: when `write` returns, the text is written. */
interface Sink {
  readonly write: (text: string) => unknown
}

/**
 * Collects the lines of one turn of the event loop and writes them with one system call. A system call for each line
 * would take a busy service as much time as pricing a quote. A line waits at most until the end of its turn. If the
 * process ends, even because of an error, the remaining lines are written first.
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
