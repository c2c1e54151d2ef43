import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ProverError } from './prover-error.ts'

/** The first line of a healthy prover. */
export interface Announcement {
  readonly development: boolean
  readonly vkeyHash: string
  /** Number of requests that the prover works on at a time. */
  readonly atOnce: number
}

/** One answer line. README.md of packages/prover describes its form. */
export interface Answer {
  readonly id: string | null
  readonly ok: boolean
  readonly proof?: string
  readonly publicInputs?: string[]
  readonly ms?: number
  readonly code?: string
  readonly message?: string
}

/** How a process ended. `error` is set if it could not be started. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error?: Error
}

/**
 * Maximum number of bytes of error output that are kept. They suffice for the executable's one-line reason, and a
 * faulty process that writes endlessly can't fill the memory.
 */
const STDERR_MAX = 4_096

/** The start of each line of error output that comes from the executable itself and not from a library. */
const REPORT = 'sotto-prover: '

/** One running executable. It reads lines and writes lines. */
export class ProverProcess {
  readonly exited: Promise<Exit>
  readonly pid: number | undefined
  /** Called for each line in which the executable itself reports a fault. */
  onReport: () => void = () => undefined
  readonly #child: ChildProcessWithoutNullStreams
  #stderr = ''

  constructor(executable: string, args: readonly string[], onLine: (line: unknown) => void) {
    const isScript = /\.m?js$/.test(executable)
    const [file, parameters] = isScript
      ? [process.execPath, [executable, ...args]]
      : [executable, [...args]]
    // The environment is empty, because the service's environment may contain secrets, and the prover needs none of it.
    this.#child = spawn(file, parameters, { env: {}, stdio: 'pipe' })
    this.pid = this.#child.pid
    this.exited = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve({ code: null, signal: null, error }))
      this.#child.on('close', (code, signal) => resolve({ code, signal }))
    })
    // Writing to a process that has just died fails here. The process's exit event is handled instead.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_MAX)
    })
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (line.startsWith(REPORT)) this.onReport()
    })
    createInterface({ input: this.#child.stdout }).on('line', (line) => onLine(parseLine(line)))
  }

  /** The executable's own explanation of why it didn't start. */
  startError({ code, signal, error }: Exit): ProverError {
    const reason = error?.message ?? (this.#stderr.trim() || `it ended with ${signal ?? code}.`)
    return new ProverError('PROVER_START_FAILED', `The prover does not start: ${reason}`)
  }

  send(request: { id: string; input: unknown }): void {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
  }

  /** Ends the process once it has finished the proofs that it is making. */
  finish(): void {
    this.#child.stdin.end()
  }

  kill(): void {
    this.#child.kill('SIGKILL')
  }
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
