import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const BINARY = fileURLToPath(new URL('../bin/sotto.mjs', import.meta.url))

export interface Ended {
  readonly code: number | null
  /** Every line of standard output, as JSON. */
  readonly results: readonly Record<string, never>[]
  readonly stdout: string
  readonly stderr: string
}

/** Runs the real command with only these SOTTO variables. */
export async function runSotto(
  args: readonly string[],
  env: Record<string, string>,
  /** Receives its standard error and may send it a signal. */
  watch?: (stderr: string, kill: (signal: NodeJS.Signals) => void) => void,
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const child = spawn(process.execPath, [BINARY, ...args], { env: { PATH, HOME, ...env } })
  child.stdin.end()
  let stderr = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    stderr += chunk
    watch?.(stderr, (signal) => child.kill(signal))
  })
  const ended = new Promise<number | null>((done) => child.once('close', done))
  const stdout = await text(child.stdout)
  const code = await ended
  const lines = stdout.split('\n').filter((line) => line.startsWith('{'))
  const results = lines.map((line) => JSON.parse(line) as Record<string, never>)
  return { code, results, stdout, stderr }
}
