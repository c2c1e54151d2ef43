import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { readFinalStage } from './dockerfile.ts'

export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

type Environment = Readonly<Record<string, string>>

/**
 * Runs an image's command on a copy of the image's files, with the image's working directory and only the image's
 * environment.
 */
export class ImageProcess {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** The first line of standard output, parsed as JSON. Rejects if the process ends without printing a line. */
  readonly ready: Promise<Record<string, string>>

  constructor(root: string, words: readonly string[], env: Environment = {}) {
    const { workdir, environment } = readFinalStage()
    const [command, ...args] = words
    if (command !== 'node') throw new Error(`the image has Node, and no ${command}`)
    const child = spawn(process.execPath, args, {
      cwd: path.join(root, workdir),
      env: { ...environment, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child = child
    const text = { out: '', err: '' }
    child.stdout.on('data', (chunk: Buffer) => (text.out += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (text.err += chunk.toString()))
    this.ended = once(child, 'close').then(([code]) => ({ code: code as number | null, ...text }))
    const first = once(createInterface({ input: child.stdout }), 'line')
    this.ready = Promise.race([
      first.then(([line]) => JSON.parse(line as string) as Record<string, string>),
      this.ended.then(({ err }) => Promise.reject(new Error(`the process ended: ${err}`))),
    ])
    // Some callers only wait for the process's end and don't handle this rejection. Without a handler, it would end the
    // test run.
    this.ready.catch(() => undefined)
  }
}

/** Runs a command of the service, as the image's entrypoint starts it. */
export const startService = (root: string, words: readonly string[], env: Environment) =>
  new ImageProcess(root, [...readFinalStage().entrypoint, ...words], env)
