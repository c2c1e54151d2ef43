import { spawn } from 'node:child_process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../../demo/src/stack/built-program.ts'

const path = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
/** The command in a checkout. It compiles its sources at each start. */
export const BINARY = path('../bin/sotto.mjs')
export const MAIN = path('../src/main.ts')

export interface Ended {
  readonly code: number | null
  /** The lines of standard output that are JSON objects. */
  readonly results: readonly Record<string, never>[]
  readonly stdout: string
  readonly stderr: string
}

/** Called with a command's standard error output so far, and with a function that sends the command a signal. */
export type Watch = (stderr: string, kill: (signal: NodeJS.Signals) => void) => void

export interface RunOptions {
  readonly watch?: Watch
  /** Called once the command has started, with a function that sends it a signal. */
  readonly started?: (kill: (signal: NodeJS.Signals) => void) => void
  readonly binary?: string
}

/**
 * Runs the real command with only these SOTTO variables. The command is built once, because a built command starts
 * faster.
 */
export async function runSotto(
  args: readonly string[],
  env: Record<string, string>,
  { watch, started, binary }: RunOptions = {},
): Promise<Ended> {
  const { PATH = '', HOME = '' } = process.env
  const script = binary ?? (await builtProgram(MAIN))
  const child = spawn(process.execPath, [script, ...args], { env: { PATH, HOME, ...env } })
  started?.((signal) => child.kill(signal))
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
