import { spawn } from 'node:child_process'
import type { ChildProcessWithoutNullStreams } from 'node:child_process'
import { createInterface } from 'node:readline'
import { ProverError } from './prover-error.ts'

/** The first line that a healthy prover writes. */
export interface Announcement {
  readonly development: boolean
  readonly vkeyHash: string
  /** Number of requests that the prover works on at the same time. */
  readonly atOnce: number
}

/** One line with an answer. README.md of packages/prover describes its format. */
export interface Answer {
  readonly id: string | null
  readonly ok: boolean
  readonly proof?: string
  readonly publicInputs?: string[]
  readonly ms?: number
  readonly code?: string
  readonly message?: string
}

/** How a process ended. `error` is set if the process could not be started. */
export interface Exit {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly error?: Error
}

/**
 * Maximum number of bytes of error output that are kept, which is enough for the executable's one-line reason. Without
 * the limit, a faulty process that writes endlessly would fill the memory.
 */
const STDERR_MAX = 4_096

/** Prefix of the error output lines that the executable itself writes. Lines of its libraries lack this prefix. */
const REPORT = 'sotto-prover: '

/** One running executable. It reads lines and writes lines. */
export class ProverProcess {
  readonly exited: Promise<Exit>
  readonly pid: number | undefined
  /** Called for each line of error output in which the executable itself reports a fault. */
  onReport: () => void = () => undefined
  readonly #child: ChildProcessWithoutNullStreams
  #stderr = ''

  constructor(executable: string, args: readonly string[], onLine: (line: unknown) => void) {
    const isScript = /\.m?js$/.test(executable)
    const [file, parameters] = isScript
      ? [process.execPath, [executable, ...args]]
      : [executable, [...args]]
    // The environment is empty, because the service's environment may contain secrets, and the prover needs no
    // variables.
    this.#child = spawn(file, parameters, { env: {}, stdio: 'pipe' })
    this.pid = this.#child.pid
    this.exited = new Promise((resolve) => {
      this.#child.on('error', (error) => resolve({ code: null, signal: null, error }))
      this.#child.on('close', (code, signal) => resolve({ code, signal }))
    })
    // A write fails here if the process has just ended. Ignore it, because the exit event is handled.
    this.#child.stdin.on('error', () => undefined)
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString()).slice(-STDERR_MAX)
    })
    createInterface({ input: this.#child.stderr }).on('line', (line) => {
      if (line.startsWith(REPORT)) this.onReport()
    })
    createInterface({ input: this.#child.stdout }).on('line', (line) => onLine(parseLine(line)))
  }

  /** The error for a process that didn't start, with the executable's own explanation. */
  startError({ code, signal, error }: Exit): ProverError {
    const reason = error?.message ?? (this.#stderr.trim() || `it ended with ${signal ?? code}.`)
    return new ProverError('PROVER_START_FAILED', `The prover does not start: ${reason}`)
  }

  send(request: { id: string; input: unknown }): void {
    this.#child.stdin.write(`${JSON.stringify(request)}\n`)
  }

  /** Lets the process finish the proofs in progress, and then ends it. */
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
