import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { builtProgram } from './built-program.ts'

const DIE_WITH_PARENT = fileURLToPath(new URL('./die-with-parent.mjs', import.meta.url))
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const TAIL_LINES = 12
/** The time limit for a shutdown, in milliseconds. A shutdown waits for open requests and stops the workers. */
const STOP_MS = 15_000

export interface StartedProcess<Ready> {
  readonly ready: Ready
  /** Asks the process to stop, and waits for it. Kills the process if it doesn't stop in time. */
  readonly stop: () => Promise<void>
  /** Resolves when the process ends, also after `stop`. The value is the last lines of its standard error. */
  readonly ended: Promise<string>
}

async function launch(script: string, args: readonly string[], env: Record<string, string>) {
  return spawn(
    process.execPath,
    ['--import', DIE_WITH_PARENT, await builtProgram(script), ...args],
    {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    },
  )
}

function tailOf(child: ChildProcess): () => string {
  const tail: string[] = []
  createInterface({ input: child.stderr as NodeJS.ReadableStream }).on('line', (line) => {
    tail.push(line)
    if (tail.length > TAIL_LINES) tail.shift()
  })
  return () => tail.join('\n')
}

const exitOf = (child: ChildProcess): Promise<number | null> =>
  new Promise((resolve) => child.once('close', (code) => resolve(code)))

async function stop(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
  await exited
  clearTimeout(timer)
}

/** Starts a service, and waits for the JSON line with which the service reports that it is ready. */
export async function startProcess<Ready>(
  name: string,
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<StartedProcess<Ready>> {
  const child = await launch(script, args, env)
  const tail = tailOf(child)
  const exited = exitOf(child)
  const lines = createInterface({ input: child.stdout })
  const ready = await new Promise<Ready>((resolve, reject) => {
    lines.on('line', (line) => {
      if (line.startsWith('{')) resolve(JSON.parse(line) as Ready)
    })
    void exited.then((code) =>
      reject(new Error(`${name} ended with code ${code} before it was ready\n${tail()}`)),
    )
  })
  return { ready, stop: () => stop(child, exited), ended: exited.then(tail) }
}

/** Runs a command to its end. Returns the JSON lines that the command printed. */
export async function runCommand(
  name: string,
  script: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<object[]> {
  const child = await launch(script, args, env)
  const tail = tailOf(child)
  const results: object[] = []
  createInterface({ input: child.stdout }).on('line', (line) =>
    results.push(JSON.parse(line) as object),
  )
  const code = await exitOf(child)
  if (code !== 0) throw new Error(`${name} failed with code ${code}\n${tail()}`)
  return results
}
