import pc from 'picocolors'
import { eachSecond, nowMs } from '../clock.ts'
import { printable } from './printable.ts'
import type { Stream } from './stream.ts'

/** Shows on standard error what a command is waiting for. */
export interface Progress {
  doing(text: string): void
  /** Shows that the command waits for about this many seconds. A terminal shows a countdown. */
  waiting(text: string, seconds: number): void
  /** After Ctrl-C, shows on a permanent line what the command still waits for. */
  stopping(): void
  /** Clears the progress line, so that a result can be written. */
  clear(): void
}

const ERASE = '\r\u001b[2K'

/**
 * On a terminal, each step overwrites the line of the step before. Elsewhere, each step gets its own line; with
 * `isSilent`, nothing is written.
 */
export function progressOn(stream: Stream, isSilent: boolean): Progress {
  const isTerminal = stream.isTTY === true
  let shown = ''
  let ticking: { readonly stop: () => void } | undefined
  const show = (words: string) => {
    const text = printable(words)
    if (isSilent || text === shown) return
    shown = text
    const fitting = text.slice(0, (stream.columns ?? 80) - 1)
    stream.write(isTerminal ? ERASE + pc.cyan(fitting) : `${text}\n`)
  }
  const stop = () => {
    ticking?.stop()
    ticking = undefined
  }
  const clear = () => {
    stop()
    if (shown !== '' && isTerminal) stream.write(ERASE)
    shown = ''
  }
  return {
    doing: (words) => {
      stop()
      show(words)
    },
    waiting: (words, seconds) => {
      stop()
      const sinceMs = nowMs()
      const tick = () => {
        const left = seconds - Math.floor((nowMs() - sinceMs) / 1_000)
        show(`${words}, ${left > 0 ? `about ${left} s left` : 'which takes longer than expected'}`)
      }
      tick()
      if (isTerminal && !isSilent) ticking = eachSecond(tick)
    },
    stopping: () => {
      const wait = shown === '' ? '' : `; last step: ${shown}`
      clear()
      if (!isSilent) stream.write(`stopping${wait}; press Ctrl-C again to end at once\n`)
    },
    clear,
  }
}
