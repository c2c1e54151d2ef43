import colors from 'picocolors'

/** Shows progress: rewritten lines on a terminal, plain lines otherwise. */
export interface Progress {
  /** Announces a new part of the demo. */
  readonly scene: (title: string) => void
  /** Announces that a step has started. On a terminal the next call replaces this line. */
  readonly doing: (text: string) => void
  /** Announces that a step is done. */
  readonly done: (text: string) => void
}

const CLEAR_LINE = '\r\u001b[2K'

/** Prints lines for people to `stream`. */
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

/** Prints no progress, for scripts that read only the final JSON. */
export const silence: Progress = { scene: () => {}, doing: () => {}, done: () => {} }
