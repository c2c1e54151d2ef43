import { createInterface } from 'node:readline/promises'

interface Terminal {
  readonly stdin: NodeJS.ReadableStream
  readonly stderr: NodeJS.WritableStream
}

/**
 * Asks a question on the terminal. Only `y` and `yes` count as yes, and Ctrl-D counts as no. Ctrl-C stops the command,
 * as it does at any other moment: it calls `interrupt`.
 */
export async function ask(
  question: string,
  signal: AbortSignal,
  { stdin, stderr }: Terminal = process,
  interrupt: () => void = () => void process.emit('SIGINT', 'SIGINT'),
): Promise<boolean> {
  const lines = createInterface({ input: stdin, output: stderr })
  // While the question is shown, the terminal passes Ctrl-C as a key, and the process gets no signal.
  lines.on('SIGINT', interrupt)
  const closed = new Promise<string>((resolve) => {
    lines.once('close', () => resolve(''))
  })
  try {
    const asked = lines.question(`${question} [y/N] `, { signal }).catch((error: unknown) => {
      if (signal.aborted) throw error
      // Ctrl-D
      return ''
    })
    const answer = await Promise.race([asked, closed])
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    lines.close()
  }
}
