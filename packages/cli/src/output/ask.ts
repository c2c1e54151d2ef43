import { createInterface } from 'node:readline/promises'

/** Asks a question on the terminal. Only `y` and `yes` count as yes. */
export async function ask(question: string, signal: AbortSignal): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    const answer = await lines.question(`${question} [y/N] `, { signal })
    return /^\s*y(es)?\s*$/i.test(answer)
  } finally {
    lines.close()
  }
}
