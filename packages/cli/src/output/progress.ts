import { printable } from './printable.ts'
import type { Stream } from './stream.ts'

/** Says what a command is waiting for, on standard error. */
export interface Progress {
  doing(text: string): void
  /** Removes what is shown, so that a result can be written. */
  clear(): void
}

const ERASE = '\r\u001b[2K'

/** One line that is written over on a terminal, a line for each change elsewhere, or nothing. */
export function progressOn(stream: Stream, isSilent: boolean): Progress {
  let shown = ''
  return {
    doing: (words) => {
      const text = printable(words)
      if (isSilent || text === shown) return
      shown = text
      const isTerminal = stream.isTTY === true
      stream.write(isTerminal ? ERASE + text.slice(0, (stream.columns ?? 80) - 1) : `${text}\n`)
    },
    clear: () => {
      if (shown !== '' && stream.isTTY === true) stream.write(ERASE)
      shown = ''
    },
  }
}
