import colors from 'picocolors'

/** Shows progress: rewritten lines on a terminal, plain lines otherwise. */
export interface Progress {
  /** A new part of the demo begins. */
  readonly scene: (title: string) => void
  /** Something is under way; the next call replaces it on a terminal. */
  readonly doing: (text: string) => void
  /** Something is done. */
  readonly done: (text: string) => void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Lines for people, on `stream`. */
export function progressOn(stream: NodeJS.WriteStream): Progress {
  const { isTTY } = stream
  const line = (text: string) => stream.write(`${isTTY ? CLEAR_LINE : ''}${text}\n`)
  return {
    scene: (title) => line(`\n${colors.bold(title)}`),
    doing: (text) => {
      if (isTTY) stream.write(`${CLEAR_LINE}  ${colors.dim(`… ${text}`)}`)
    },
    done: (text) => line(`  ${colors.green('✓')} ${text}`),
  }
}

/** For machines: nothing but the final JSON is printed. */
export const silence: Progress = { scene: () => {}, doing: () => {}, done: () => {} }
