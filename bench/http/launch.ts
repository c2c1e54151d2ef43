import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { builtProgram } from '../../demo/src/stack/built-program.ts'

const pathOf = (relative: string) => fileURLToPath(new URL(`../../${relative}`, import.meta.url))
const DIE_WITH_PARENT = pathOf('demo/src/stack/die-with-parent.mjs')
/** The time limit for a shutdown. It is longer than the time of a shutdown that waits for open requests. */
const STOP_MS = 15_000

export interface Launched<Ready> {
  readonly ready: Ready
  readonly pid: number
  readonly stop: () => Promise<void>
}

export interface Program {
  /** Path of the server's main file in the repository. */
  readonly main: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** The file for the server's standard error, like an operator's log. */
  readonly logFile: string
}

/**
 * Starts a server as a separate process, and waits until the server reports in a JSON line that it is ready. The
 * server's log goes to a file. Otherwise the load generator would spend time on reading it.
 */
export async function launch<Ready>({
  main,
  args,
  env,
  logFile,
}: Program): Promise<Launched<Ready>> {
  const log = await open(logFile, 'a', 0o600)
  const nodeArgs = ['--import', DIE_WITH_PARENT, await builtProgram(pathOf(main)), ...args]
  const child = spawn(process.execPath, nodeArgs, {
    cwd: pathOf(''),
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', log.fd],
  })
  const exited = once(child, 'exit')
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout as Readable })) {
      if (line.startsWith('{')) return JSON.parse(line) as Ready
    }
    throw new Error(`${main} ended before it was ready; see ${logFile}`)
  })()
  const stop = async () => {
    child.kill('SIGTERM')
    const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
    if (child.exitCode === null && child.signalCode === null) await exited
    clearTimeout(timer)
    await log.close()
  }
  try {
    return { ready: await ready, stop, pid: child.pid ?? 0 }
  } catch (error) {
    await stop()
    throw error
  }
}
